import { Progress, Tag } from 'antd';
import { useLanguage, useWords } from '../../word/language.tsx';
import { number } from '../../word/number.ts';
import { steps } from './filters.ts';
import type { Rollout, Step } from './queries.ts';
import { words } from './words.ts';

const STATES = {
  running: 'processing',
  paused: 'warning',
  done: 'success',
  aborted: 'default',
} as const satisfies Record<Rollout['state'], string>;

export function RolloutState({ state }: { state: Rollout['state'] }) {
  const say = useWords(words);
  return <Tag color={STATES[state]}>{say(state)}</Tag>;
}

const STEPS = {
  planned: 'default',
  waiting: 'default',
  fetching: 'processing',
  fetched: 'processing',
  installing: 'processing',
  installed: 'success',
  already: 'success',
  taken_back: 'error',
  refused: 'error',
  stuck: 'error',
  silent: 'error',
  stopping: 'warning',
  stopped: 'warning',
  unable: 'warning',
  left_out: 'warning',
  gone: 'default',
} as const satisfies Record<Step, string>;

/** In words. */
export function useStepText(): (step: Step) => string {
  const say = useWords(words);
  return (step) =>
    step === 'unable' ? say('unable_step') : step === 'already' ? say('already_step') : say(step);
}

export function StepTag({ step }: { step: Step }) {
  const text = useStepText();
  return <Tag color={STEPS[step]}>{text(step)}</Tag>;
}

/** How many sites are at each step, in the order in which a site goes through them. */
export function StepCounts({ counts }: { counts: Rollout['counts'] }) {
  const text = useStepText();
  const { language } = useLanguage();
  return (
    <div className="span">
      {steps.map((step) => {
        const count = counts[step] ?? 0;
        return count === 0 ? null : (
          <Tag key={step} color={STEPS[step]}>
            {text(step)} {number(count, language)}
          </Tag>
        );
      })}
    </div>
  );
}

/** How many of the sites have the version. */
export function Share({
  rollout: { counts, sites, failed },
}: {
  rollout: Pick<Rollout, 'counts' | 'sites' | 'failed'>;
}) {
  const say = useWords(words);
  const { language } = useLanguage();
  const installed = (counts.installed ?? 0) + (counts.already ?? 0);
  const percent = sites === 0 ? 0 : Math.floor((installed / sites) * 100);
  const of = { installed: number(installed, language), sites: number(sites, language) };
  return (
    <div className="two-lines">
      <Progress percent={percent} size="small" aria-label={say('progress')} />
      <span className="quiet">
        {say('installedOf', of)}
        {failed > 0 && ` · ${say('failedCount', { failed: number(failed, language) })}`}
      </span>
    </div>
  );
}
