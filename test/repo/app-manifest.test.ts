import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Octokit } from '@octokit/rest';
import { parse } from 'yaml';
import { z } from 'zod';
import { permissionsFor } from '../../src/adapters/github/auth/permissions.js';
import { HANDLED_EVENTS } from '../../src/entry/webhooks/events/parse-event.js';
import { RESOURCES } from '#pocket-github/testing';
import { DEMO_SEED } from '../../src/entry/demo/brain/demo-world.js';
import { ROOT, sourceFiles } from '../support/source-files.js';

/* The App asks for what the code uses, and for nothing else. */

const shape = z.object({
  default_permissions: z.record(z.string(), z.enum(['read', 'write'])),
  default_events: z.array(z.string()),
  public: z.boolean(),
});
const text = readFileSync(join(ROOT, 'app.yml'), 'utf8');
const manifest = shape.parse(parse(text));
const { default_permissions: permissions, default_events: events } = manifest;

/** GitHub sends these to every App and refuses to have them listed. */
const UNASKED = ['installation', 'installation_repositories'];

/** Without the permission GitHub does not let an App subscribe. */
const EVENT_NEEDS: Readonly<Record<string, string>> = {
  check_run: 'checks',
  check_suite: 'checks',
  issue_comment: 'issues',
  issue_dependencies: 'issues',
  issues: 'issues',
  pull_request: 'pull_requests',
  pull_request_review: 'pull_requests',
  repository: 'metadata',
  status: 'statuses',
  sub_issues: 'issues',
};

/** The route behind an endpoint of Octokit. */
function routeOf(scope: string, name: string): string {
  const scopes: Readonly<Record<string, Readonly<Record<string, unknown>>>> = new Octokit().rest;
  const method = z.looseObject({ method: z.string(), url: z.string() });
  const endpoint = z.custom<{ endpoint: { DEFAULTS: unknown } }>((value) => typeof value === 'function');
  const { DEFAULTS } = endpoint.parse(scopes[scope]?.[name]).endpoint;
  const { method: verb, url } = method.parse(DEFAULTS);
  return `${verb} ${url}`;
}

const REPOSITORY = { owner: 'ada', repo: 'tideline' };

describe('app.yml', () => {
  test('grants what a token is made with, and nothing that no token asks for', () => {
    expect(permissionsFor(REPOSITORY, permissions)).toEqual(permissions);
    const everything = Object.fromEntries(Object.keys(permissions).map((name) => [name, 'admin']));
    expect(permissionsFor(REPOSITORY, { ...everything, workflows: 'write', members: 'read' })).toEqual(permissions);
  });

  test('every REST route the service calls is covered', () => {
    const routes = new Map(RESOURCES.flatMap(({ routes = [] }) => routes.map((one) => [one.operation as string, one])));
    const called = sourceFiles('src').flatMap(({ text: source }) =>
      [...source.matchAll(/\brest\.(\w+)\.(\w+)\(/g)].map(([, scope = '', name = '']) => routeOf(scope, name)),
    );
    expect(called).toContain('GET /repos/{owner}/{repo}/collaborators/{username}/permission');
    expect(called).toContain('POST /app/installations/{installation_id}/access_tokens');
    const uncovered = called.filter((route) => {
      const access = routes.get(route)?.access;
      if (access === undefined) return true;
      if (typeof access === 'string') return false;
      const [name = '', level = ''] = access.app.split(':');
      return !(permissions[name] === level || permissions[name] === 'write');
    });
    expect(uncovered).toEqual([]);
  });

  test('the demo’s App is this one: GitHub’s permission rules see every request the service makes', () => {
    const demo = parse(DEMO_SEED) as { apps: { permissions: object; events: string[] }[] };
    const { organization_projects, ...rest } = permissions;
    expect(organization_projects).toBe('read');
    expect(demo.apps[0]?.permissions).toEqual(rest);
    expect(demo.apps[0]?.events.toSorted()).toEqual(events.toSorted());
  });

  test('hears every event the code reads, and no other', () => {
    expect([...events, ...UNASKED].sort()).toEqual([...HANDLED_EVENTS].sort());
  });

  test('may subscribe to all of them', () => {
    expect(events.filter((event) => permissions[EVENT_NEEDS[event] ?? ''] === undefined)).toEqual([]);
  });

  test('asks for neither workflows nor administration, and says why it asks for the rest', () => {
    expect(Object.keys(permissions)).not.toContain('workflows');
    expect(Object.keys(permissions)).not.toContain('administration');
    const lines = text.split('\n');
    const unjustified = Object.keys(permissions).filter((name) => {
      const at = lines.findIndex((line) => line.startsWith(`  ${name}: `));
      return !lines[at - 1]?.trim().startsWith('#');
    });
    expect(unjustified).toEqual([]);
  });

  test('belongs to who registers it alone', () => {
    expect(manifest.public).toBe(false);
  });
});
