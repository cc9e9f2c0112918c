import { Alert, Button, Skeleton } from 'antd';
import { type ComponentType, type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { words } from '../page/words.ts';
import { useWords } from '../word/language.tsx';
import { hubAnswers, reload } from './reload.ts';

/** Between tries, ms: doubled from the first to the longest. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;
/** As long as a change of the screen waits for its file, ms; after that the new screen says that it loads. */
const PATIENCE_MS = 300;
/** Before the rest is loaded ahead, and before what failed is tried again, ms. */
const AHEAD_AFTER_MS = 2_000;
const AHEAD_AGAIN_MS = 30_000;

interface Part {
  loaded: () => boolean;
  fetch: () => Promise<void>;
}
const parts: Part[] = [];

interface State<P> {
  Component: ComponentType<P> | null;
  failed: boolean;
}

/**
 * A component whose file is loaded when it is first shown, or ahead. While the hub is away its place says so,
 * and the file is asked for until it is there: the page is never left, and never loaded anew by itself.
 * @param load what imports it: `async () => (await import('./x.tsx')).X`
 * @param waiting what stands in its place while it is loaded
 */
export function later<P extends object>(
  load: () => Promise<ComponentType<P>>,
  waiting: (props: P) => ReactNode = () => <Skeleton active />,
): ((props: P) => ReactNode) & { preload: () => Promise<void> } {
  const file = fileOf(load);
  parts.push(file);
  function Later(props: P) {
    const { Component, failed } = useSyncExternalStore(file.subscribe, file.state);
    useEffect(() => keepTrying(file), []);
    if (Component) return <Component {...props} />;
    return failed ? <NotLoaded again={() => void file.fetch()} /> : waiting(props);
  }
  const preload = (): Promise<void> => Promise.race([file.fetch(), passed(PATIENCE_MS)]);
  return Object.assign(Later, { preload });
}

/** The file of a component: a try that failed is no answer for ever. */
function fileOf<P extends object>(load: () => Promise<ComponentType<P>>) {
  let state: State<P> = { Component: null, failed: false };
  let loading: Promise<void> | null = null;
  const listeners = new Set<() => void>();
  const become = (next: State<P>): void => {
    state = next;
    loading = null;
    for (const listener of listeners) listener();
  };
  const fetch = (): Promise<void> =>
    state.Component
      ? Promise.resolve()
      : (loading ??= load().then(
          (Component) => become({ Component, failed: false }),
          () => become({ Component: null, failed: true }),
        ));
  return {
    fetch,
    loaded: () => state.Component !== null,
    state: () => state,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Asks for a file until it is there. @returns what ends that */
function keepTrying({ fetch, loaded }: Part): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let ended = false;
  const attempt = async (wait: number): Promise<void> => {
    await fetch();
    if (!ended && !loaded())
      timer = setTimeout(() => void attempt(Math.min(wait * 2, LONGEST_WAIT_MS)), wait);
  };
  void attempt(FIRST_WAIT_MS);
  return () => {
    ended = true;
    clearTimeout(timer);
  };
}

/**
 * Loads every screen while nothing else is to be done, so that none is missing once the link is.
 * @returns what ends that
 */
export function loadAhead(): () => void {
  let ended = false;
  const run = async (): Promise<void> => {
    for (let wait = AHEAD_AFTER_MS; !ended && !parts.every(({ loaded }) => loaded()); wait = AHEAD_AGAIN_MS) {
      await passed(wait);
      for (const part of parts) {
        if (ended || part.loaded()) continue;
        await idle();
        await part.fetch();
        if (!part.loaded()) break;
      }
    }
  };
  void run();
  return () => {
    ended = true;
  };
}

const passed = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
const idle = (): Promise<void> =>
  new Promise((done) => {
    // Not every browser tells when it has nothing to do.
    if ('requestIdleCallback' in window) requestIdleCallback(() => done(), { timeout: LONGEST_WAIT_MS });
    else setTimeout(done, FIRST_WAIT_MS);
  });

/** In the place of what could not be loaded. */
function NotLoaded({ again }: { again: () => void }) {
  const say = useWords(words);
  // The hub answers, but not for this file: it is of another version than the page.
  const [replaced, tell] = useState(false);
  useEffect(() => {
    let left = false;
    const timer = setInterval(() => {
      void hubAnswers().then((answers) => {
        if (!left) tell(answers);
      });
    }, LONGEST_WAIT_MS);
    return () => {
      left = true;
      clearInterval(timer);
    };
  }, []);
  return (
    <Alert
      type="warning"
      showIcon
      title={say('notLoaded')}
      description={say(replaced ? 'notLoadedReplaced' : 'notLoadedWhy')}
      action={
        replaced ? (
          <Button type="primary" onClick={reload}>
            {say('reload')}
          </Button>
        ) : (
          <Button type="primary" onClick={again}>
            {say('retry')}
          </Button>
        )
      }
    />
  );
}
