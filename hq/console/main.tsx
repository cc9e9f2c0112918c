import './app/console.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { giveStylesTheNonce } from './app/nonce.ts';
import { hasten, queries, router } from './app/router.tsx';
import { ThemeProvider } from './app/theme.tsx';
import { forgetOldDrafts } from './page/draft.ts';
import { LanguageProvider } from './word/language.tsx';
import { registerWorker } from './worker/register.ts';

giveStylesTheNonce();
registerWorker();
hasten();
forgetOldDrafts();
const root = document.getElementById('root');
if (!root) throw new Error('the page has no place for the console');
createRoot(root).render(
  <StrictMode>
    <LanguageProvider>
      <ThemeProvider>
        <QueryClientProvider client={queries}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </ThemeProvider>
    </LanguageProvider>
  </StrictMode>,
);
