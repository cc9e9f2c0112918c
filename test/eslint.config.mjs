import path from 'node:path';
import reactHooks from 'eslint-plugin-react-hooks';
import importSort from 'eslint-plugin-simple-import-sort';
import tseslint from 'typescript-eslint';

const root = path.dirname(import.meta.dirname);

export default tseslint.config(
  { ignores: ['node_modules/', 'dist/', '.fieldline/'] },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.base],
    plugins: { 'import-sort': importSort },
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: root } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/only-throw-error': 'error',
      '@typescript-eslint/unbound-method': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/ban-ts-comment': ['error', { 'ts-expect-error': 'allow-with-description' }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      // The platform first, then packages, then our own, the far ones before the near.
      'import-sort/imports': ['error', { groups: [['^\\u0000', '^node:', '^@?\\w', '^\\.']] }],
      'no-duplicate-imports': ['error', { allowSeparateTypeImports: false }],
      'no-empty': 'error',
      eqeqeq: 'error',
      'prefer-const': 'error',
      'max-lines': ['warn', 300],
      'max-len': ['error', { code: 110, ignoreRegExpLiterals: true, ignoreUrls: true }],
    },
  },
  {
    files: ['{site,hq,common,packaging}/**/*.ts'],
    // Tables, read row by row and as long as they have rows: of routes with their descriptions, of metrics,
    // of prepared statements, of commands with their help. What decides or does something stands elsewhere.
    ignores: [
      '**/{routes,*-route,*-routes,metrics,statements,*-statements}.ts',
      'common/terminal/own-commands.ts',
    ],
    rules: { 'max-lines-per-function': ['error', { max: 50, skipBlankLines: true, skipComments: true }] },
  },
  {
    files: ['hq/console/**'],
    extends: [reactHooks.configs.flat.recommended],
    rules: {
      // The router leaves a route by the answer that redirect() makes.
      '@typescript-eslint/only-throw-error': [
        'error',
        { allow: [{ from: 'package', package: '@tanstack/router-core', name: 'Redirect' }] },
      ],
    },
  },
  {
    // The title of a test stays on one line, and what a test sends or expects is shown as it travels.
    files: ['test/**/*.ts'],
    rules: {
      // A suite is read case by case, and a table of cases is as long as its cases.
      'max-lines': ['error', 750],
      'max-len': [
        'error',
        {
          code: 110,
          ignorePattern: '^\\s*(test|it|describe)\\(',
          ignoreRegExpLiterals: true,
          ignoreTemplateLiterals: true,
          ignoreStrings: true,
          ignoreUrls: true,
        },
      ],
    },
  },
  {
    // The texts that the policy search is measured with: data, one subject after the other.
    files: ['test/bench/policy/regulations-*.ts'],
    rules: { 'max-lines': 'off' },
  },
);
