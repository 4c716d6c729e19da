import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { type GraphQLSchema, Kind, parse, validate } from 'graphql';
import { STEPS, type Step } from '../../src/adapters/github/queries/queries.js';
import { loadGitHubSchema } from '#pocket-github/testing';
import { ROOT, type SourceFile, sourceFiles } from '../support/source-files.js';

/* Every GraphQL document the service sends is an export of a queries file, and GitHub's schema accepts it. */

const QUERY_FILE = /^src\/.*\/queries[^/]*\.ts$/;
const own = sourceFiles('src');

/** What is left of a file when it is read for GraphQL: an operation or a fragment begins somewhere in its text. */
const GRAPHQL =
  /\/\*\s*GraphQL\s*\*\/|\b(?:query|mutation|subscription)(?:\s+\w+)?\s*(?:\(\s*\$|\{)|\bfragment\s+\w+\s+on\s+\w+/;
const strays = (files: readonly SourceFile[]): string[] =>
  files.filter(({ path, text }) => !QUERY_FILE.test(path) && GRAPHQL.test(text)).map(({ path }) => path);

const steps = Object.keys(STEPS) as Step[];

/** Inputs that make every document a building function can build, up to repetition. */
const BUILT: Readonly<Record<string, readonly (readonly unknown[])[]>> = {
  projectDocument: [
    [steps],
    [steps.toReversed()],
    ...steps.map((step) => [[step]]),
    ...steps.map((step) => [[step, step]]),
  ],
  createLabelsDocument: [[1], [20]],
  reactDocument: [[1], [10]],
  sweepRepositoriesDocument: [[1], [50]],
};
/** Functions that make names, not documents. */
const NAMES = new Set(['labelAlias', 'repoAlias', 'stepAlias']);

/** Part of other documents, and checked with them. */
const isFragment = (text: string): boolean =>
  parse(text).definitions.every(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);

type Builder = (...args: readonly unknown[]) => string;

async function documentsOf({ path }: SourceFile): Promise<{ readonly name: string; readonly document: string }[]> {
  const exports = (await import(join(ROOT, 'build', path.replace(/\.ts$/, '.js')))) as Record<string, unknown>;
  return Object.entries(exports).flatMap(([name, value]) => {
    if (typeof value === 'string') return isFragment(value) ? [] : [{ name, document: value }];
    if (typeof value !== 'function' || NAMES.has(name)) return [];
    const inputs = BUILT[name];
    if (inputs === undefined) throw new Error(`${path} exports ${name}: say in this test what it is called with`);
    return inputs.map((args) => ({ name: `${name} ${JSON.stringify(args)}`, document: (value as Builder)(...args) }));
  });
}

/** `@octokit/graphql` refuses to send some of these, and leaves the others out without a word. */
const RESERVED = new Set(['baseUrl', 'headers', 'mediaType', 'method', 'operationName', 'query', 'request', 'url']);

const variablesOf = (document: string): string[] =>
  parse(document).definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION
      ? (definition.variableDefinitions ?? []).map(({ variable }) => variable.name.value)
      : [],
  );

const problems = (schema: GraphQLSchema, document: string): string[] =>
  validate(schema, parse(document)).map(({ message }) => message);

describe('the GraphQL documents', () => {
  const schema = loadGitHubSchema();

  test('are all in files named queries', () => {
    expect(strays(own)).toEqual([]);
  });

  test('fit the schema of GitHub, whatever they are built of', async () => {
    const documents = (await Promise.all(own.filter(({ path }) => QUERY_FILE.test(path)).map(documentsOf))).flat();
    expect(documents.map(({ name }) => name)).toEqual(expect.arrayContaining(['ISSUE_SNAPSHOT', 'MERGE_PULL']));
    const wrong = documents.flatMap(({ name, document }) =>
      problems(schema, document).map((problem) => `${name}: ${problem}`),
    );
    expect(wrong).toEqual([]);
  });

  test('have no variable of a name that Octokit keeps for itself', async () => {
    const documents = (await Promise.all(own.filter(({ path }) => QUERY_FILE.test(path)).map(documentsOf))).flat();
    const variables = documents.flatMap(({ document }) => variablesOf(document));
    expect(variables).toEqual(expect.arrayContaining(['owner', 'number', 'input']));
    expect(variables.filter((name) => RESERVED.has(name))).toEqual([]);
    expect(variablesOf('query Q($url: URI!) { resource(url: $url) { url } }').every((name) => RESERVED.has(name))).toBe(
      true,
    );
  });

  test('a document elsewhere, and one that asks for what is not there, are noticed', () => {
    const text = 'const q = `query Snapshot($n: Int!) { viewer { login } }`;';
    expect(strays([{ path: 'src/usecases/sweep.ts', text }])).toEqual(['src/usecases/sweep.ts']);
    expect(problems(schema, '{ viewer { loginn } }')).toHaveLength(1);
  });
});
