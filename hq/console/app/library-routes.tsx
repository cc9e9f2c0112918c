// The screens of the policy library by their addresses.
import { createRoute } from '@tanstack/react-router';
import * as filters from '../screen/policy/filters.ts';
import { shell } from './frame.tsx';
import { later } from './later.tsx';

const policy = { needs: ['policy.view'] } as const;
export const library = [
  createRoute({
    getParentRoute: () => shell,
    path: '/library',
    staticData: policy,
    validateSearch: filters.searchFilters,
    component: later(async () => (await import('../screen/policy/search.tsx')).PolicySearch),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/library/files',
    staticData: policy,
    validateSearch: filters.fileFilters,
    component: later(async () => (await import('../screen/policy/files.tsx')).PolicyFiles),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/library/files/$doc',
    staticData: policy,
    validateSearch: filters.fileClause,
    component: later(async () => (await import('../screen/policy/file.tsx')).PolicyFilePage),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/library/review',
    staticData: { needs: ['policy.manage'] },
    validateSearch: filters.eyesFilters,
    component: later(async () => (await import('../screen/policy/review.tsx')).PolicyReview),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/library/answers',
    staticData: policy,
    validateSearch: filters.answerFilters,
    component: later(async () => (await import('../screen/policy/answers.tsx')).PolicyAnswers),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/library/synonyms',
    staticData: policy,
    validateSearch: filters.eyesFilters,
    component: later(async () => (await import('../screen/policy/synonyms.tsx')).PolicySynonyms),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/library/questions',
    staticData: { needs: ['policy.manage'] },
    validateSearch: filters.questionFilters,
    component: later(async () => (await import('../screen/policy/questions/page.tsx')).OpenQuestions),
  }),
] as const;
