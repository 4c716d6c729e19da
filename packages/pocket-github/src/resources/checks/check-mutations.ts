import { nodeOf, repositoryOf } from '../../graphql/nodes.js';
import type { Context } from '../../http/context.js';
import { demand, type Need } from '../../identity/access.js';
import { actorOf } from '../../identity/viewer.js';
import { UnmodelledError, unprocessable } from '../../world/errors.js';
import type { CheckAnnotation, CheckConclusion, CheckStatus, Repository } from '../../world/model.js';
import { callingApp } from './calling-app.js';
import type { RunOutput } from './run-limits.js';
import { createRun, type RunChange, updateRun } from './runs.js';
import { rerequestSuite } from './suites.js';

/** No role suffices: an App is asked for further on. */
const WRITE: Need = { app: 'checks:write', role: 'read' };

interface AnnotationInput {
  readonly path: string;
  readonly location: { startLine: number; endLine: number; startColumn?: number | null; endColumn?: number | null };
  readonly annotationLevel: string;
  readonly message: string;
  readonly title?: string | null;
  readonly rawDetails?: string | null;
}

interface OutputInput {
  readonly title: string;
  readonly summary: string;
  readonly text?: string | null;
  readonly annotations?: readonly AnnotationInput[] | null;
  readonly images?: readonly unknown[] | null;
}

interface RunInput {
  readonly repositoryId: string;
  readonly name?: string | null;
  readonly status?: string | null;
  readonly conclusion?: string | null;
  readonly detailsUrl?: string | null;
  readonly externalId?: string | null;
  readonly startedAt?: string | null;
  readonly completedAt?: string | null;
  readonly output?: OutputInput | null;
}

interface Input<T> {
  readonly input: T;
}

/** The repository behind an id, once the caller may write its checks. */
function writable(context: Context, id: string): Repository {
  const repository = nodeOf(context, 'repositories', id);
  demand(context.world.tables, context.viewer, repository, WRITE);
  return repository;
}

function changeIn(input: RunInput): RunChange {
  return {
    name: input.name ?? undefined,
    status: statusIn(input.status),
    conclusion: conclusionIn(input.conclusion),
    detailsUrl: input.detailsUrl ?? undefined,
    externalId: input.externalId ?? undefined,
    startedAt: input.startedAt == null ? undefined : Date.parse(input.startedAt),
    completedAt: input.completedAt == null ? undefined : Date.parse(input.completedAt),
    output: input.output == null ? undefined : outputIn(input.output),
  };
}

function statusIn(status: string | null | undefined): CheckStatus | undefined {
  if (status === 'WAITING' || status === 'PENDING')
    throw unprocessable(`Only GitHub Actions can set the status ${status}.`);
  return status == null ? undefined : (status.toLowerCase() as CheckStatus);
}

function conclusionIn(conclusion: string | null | undefined): CheckConclusion | undefined {
  if (conclusion === 'STALE' || conclusion === 'STARTUP_FAILURE') {
    throw unprocessable(`Only GitHub can set the conclusion ${conclusion}.`);
  }
  return conclusion == null ? undefined : (conclusion.toLowerCase() as CheckConclusion);
}

function outputIn({ title, summary, text, annotations, images }: OutputInput): RunOutput {
  if (images != null) throw new UnmodelledError('CheckRunOutput.images');
  return { title, summary, text: text ?? undefined, annotations: annotations?.map(annotationIn) };
}

function annotationIn(given: AnnotationInput): CheckAnnotation {
  const { startLine, endLine, startColumn, endColumn } = given.location;
  return {
    path: given.path,
    startLine,
    endLine,
    startColumn: startColumn ?? null,
    endColumn: endColumn ?? null,
    level: given.annotationLevel.toLowerCase() as CheckAnnotation['level'],
    message: given.message,
    title: given.title ?? null,
    rawDetails: given.rawDetails ?? null,
  };
}

export const checkMutations = {
  createCheckRun: async (
    _: unknown,
    { input }: Input<RunInput & { name: string; headSha: string }>,
    context: Context,
  ) => {
    const { world, viewer } = context;
    const repository = writable(context, input.repositoryId);
    const given = { ...changeIn(input), name: input.name, headOid: input.headSha };
    return { checkRun: await createRun(world, actorOf(viewer), repository, callingApp(viewer), given) };
  },
  updateCheckRun: async (_: unknown, { input }: Input<RunInput & { checkRunId: string }>, context: Context) => {
    const { world, viewer } = context;
    writable(context, input.repositoryId);
    const run = nodeOf(context, 'checkRuns', input.checkRunId);
    return { checkRun: await updateRun(world, actorOf(viewer), callingApp(viewer), run, changeIn(input)) };
  },
  rerequestCheckSuite: async (
    _: unknown,
    { input }: Input<{ repositoryId: string; checkSuiteId: string }>,
    context: Context,
  ) => {
    const { world, viewer } = context;
    writable(context, input.repositoryId);
    const suite = nodeOf(context, 'checkSuites', input.checkSuiteId);
    demand(world.tables, viewer, repositoryOf(context, suite), WRITE);
    return { checkSuite: await rerequestSuite(world, actorOf(viewer), suite) };
  },
};
