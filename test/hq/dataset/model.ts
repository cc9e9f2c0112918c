// A small project as most tests of the model begin with it.
import type { Source } from '../../../hq/dataset/record.ts';
import { type DatasetSource, MODEL_FIELDS } from '../../support/dataset-source.ts';
import type { PullRig } from './rig.ts';

export interface Seeded {
  source: DatasetSource;
  joined: Source;
}

/**
 * Two projects of acme; the first with three leaves (plan 70, 40, 50), two milestones and an open NCR; pulled
 * once.
 */
export async function openSeeded(rig: PullRig): Promise<Seeded> {
  const source = await rig.source(MODEL_FIELDS);
  source.put('projects', 1, { code: 'P-1', name: 'Tower', status: 2, health_score: 80 });
  source.put('projects', 2, { code: 'P-2', name: 'Bridge', status: 1, health_score: null });
  source.put('wbs_nodes', 1, { project_id: 1, parent_id: null, plan_progress: 100, actual_progress: 100 });
  source.put('wbs_nodes', 2, { project_id: 1, parent_id: 1, plan_progress: 70, actual_progress: 40 });
  source.put('wbs_nodes', 3, { project_id: 1, parent_id: 1, plan_progress: 40, actual_progress: 20 });
  source.put('wbs_nodes', 4, { project_id: 1, parent_id: 1, plan_progress: 50, actual_progress: 30 });
  source.put('milestones', 1, { project_id: 1, code: 'M1', name: 'Roof', status: 1 });
  source.put('milestones', 2, { project_id: 1, code: 'M2', name: 'Lift', status: 1 });
  source.put('ncrs', 1, { project_id: 1, code: 'N1', title: 'x', level: 2, closed: false });
  const joined = await rig.join(source);
  const pulled = await rig.pull(joined);
  if (pulled.lastError !== null) throw new Error(pulled.lastError);
  return { source, joined };
}
