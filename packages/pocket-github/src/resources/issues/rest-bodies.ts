import { z } from 'zod';
import type { Context } from '../../http/context.js';
import type { Issue, Label, Milestone, Repository } from '../../world/model.js';
import { assigneesByLogin } from '../assignees/rules.js';
import { typeByName } from '../issue-types/rules.js';
import { namedLabels } from '../labels/named-labels.js';
import { milestoneByNumber } from '../milestones/rules.js';

const title = z.union([z.string(), z.number()]).transform(String);

/** What only those who may triage can set on an issue. */
const triageable = {
  labels: z.array(z.union([z.string(), z.object({ name: z.string() })])).optional(),
  assignee: z.string().nullish(),
  assignees: z.array(z.string()).optional(),
  milestone: z.union([z.string(), z.number()]).nullish(),
  type: z.string().nullish(),
};

export const createBody = z.object({ title, body: z.string().nullish(), ...triageable });

export const updateBody = z.object({
  title: title.nullish(),
  body: z.string().nullish(),
  state: z.enum(['open', 'closed']).optional(),
  state_reason: z.enum(['completed', 'not_planned', 'duplicate', 'reopened']).nullish(),
  ...triageable,
});

type Triageable = z.infer<z.ZodObject<typeof triageable>>;

interface TriageValues {
  readonly labels?: readonly Label[];
  readonly assigneeIds?: readonly number[];
  readonly milestone?: Milestone | null;
  readonly typeId?: number | null;
}

/** The records a body names. What does not exist is refused before anything changes; unknown labels come into being. */
export async function triageValues(
  context: Context,
  repository: Repository,
  body: Triageable,
  issue?: Issue,
): Promise<TriageValues> {
  const { world } = context;
  const { milestone, type } = body;
  const logins = body.assignees ?? (body.assignee === undefined ? undefined : [body.assignee ?? '']);
  const assigneeIds =
    logins &&
    assigneesByLogin(
      world.tables,
      repository,
      logins.filter((login) => login !== ''),
      issue,
    );
  const found = milestone == null ? milestone : milestoneByNumber(world.tables, repository, Number(milestone));
  const typeId = type == null ? type : typeByName(world.tables, repository, type).id;
  const names = body.labels?.map((label) => (typeof label === 'string' ? label : label.name));
  return {
    ...(assigneeIds === undefined ? {} : { assigneeIds }),
    ...(found === undefined ? {} : { milestone: found }),
    ...(typeId === undefined ? {} : { typeId }),
    ...(names === undefined ? {} : { labels: await namedLabels(context, repository, names) }),
  };
}
