import type { IncomingMessage } from 'node:http';
import { type GitRequest, parseGitRequest } from '../git/protocol/git-request.js';
import { dumbProtocolRefusal, type SmartHttp } from '../git/protocol/smart-http.js';
import { allows, canSee, type Need } from '../identity/access.js';
import { viewerName } from '../identity/viewer.js';
import { forbidden, type GitHubError, notFound, requiresAuthentication } from '../world/errors.js';
import { findRepository, fullName } from '../world/lookup.js';
import type { Repository } from '../world/model.js';
import type { Context } from './context.js';
import type { Gate } from './gate.js';
import type { Pushes } from './pushes.js';
import { type Reply, text } from './reply.js';
import type { Surface } from './server.js';

const READ: Need = { app: 'contents:read', role: 'read' };
const WRITE: Need = { app: 'contents:write', role: 'write' };

/** Git smart HTTP at /owner/name.git. */
export function gitSurface(gate: Gate, smart: SmartHttp, pushes: Pushes): Surface {
  return {
    owns: (path) => /\/(info\/refs|git-upload-pack|git-receive-pack)$/.test(path),
    serve: async (request, _response, url) => {
      const method = request.method ?? 'GET';
      const wanted = parseGitRequest(method, url);
      const operation =
        wanted === null || wanted.kind === 'dumb' ? 'not smart HTTP' : `${wanted.service} ${wanted.kind}`;
      return gate.pass({
        facts: { surface: 'git', method, operation, fields: [], path: url.pathname },
        authorization: request.headers.authorization,
        ifNoneMatch: undefined,
        resource: null,
        points: 0,
        reads: false,
        refuse: gitRefusal,
        answer: async (context) => {
          if (wanted === null) throw notFound('Not Found');
          return answerGit({ smart, pushes }, wanted, request, context);
        },
      });
    },
  };
}

async function answerGit(
  { smart, pushes }: { readonly smart: SmartHttp; readonly pushes: Pushes },
  wanted: GitRequest,
  request: IncomingMessage,
  context: Context,
): Promise<{ readonly reply: Reply; readonly fault?: string | null }> {
  if (wanted.kind === 'dumb') return { reply: dumbProtocolRefusal() };
  const repository = admit(wanted, context);
  const git = context.world.git(repository.id);
  if (wanted.kind === 'advertise' && wanted.service === 'git-receive-pack') {
    const fault = pushes.turnedAwayBy(context, repository);
    if (fault !== null) return { reply: gitRefusal(deniedTo(context, repository)), fault };
  }
  if (wanted.kind === 'advertise') return { reply: await smart.advertise(git, wanted.service, request) };
  if (wanted.service === 'git-upload-pack') return { reply: smart.uploadPack(git, request) };
  return pushes.receive(context, repository, (policy) => smart.receivePack(git, request, policy));
}

function admit(wanted: Extract<GitRequest, { service: string }>, context: Context): Repository {
  const { db, viewer } = context;
  const repository = findRepository(db, wanted.owner, wanted.name);
  const pushes = wanted.service === 'git-receive-pack';
  // Without authentication, do not reveal whether a repository exists.
  if (viewer.kind === 'anonymous' && (pushes || repository === undefined || repository.private))
    throw requiresAuthentication();
  if (repository === undefined || !canSee(db, viewer, repository)) throw notFound('Repository not found.');
  if (repository.archived && pushes) throw forbidden('This repository was archived so it is read-only.');
  if (!allows(db, viewer, repository, pushes ? WRITE : READ)) {
    throw viewer.kind === 'personal'
      ? deniedTo(context, repository)
      : forbidden('Write access to repository not granted.');
  }
  return repository;
}

const deniedTo = ({ db, viewer }: Context, repository: Repository): GitHubError =>
  forbidden(`Permission to ${fullName(db, repository)}.git denied to ${viewerName(viewer)}.`);

/** git shows the text of an error after `remote:` and asks for a password only when told how. */
function gitRefusal(error: GitHubError): Reply {
  const reply = text(error.status, `${error.status === 401 ? 'Invalid username or token.' : error.message}\n`);
  if (error.status !== 401) return reply;
  return { ...reply, headers: { ...reply.headers, 'www-authenticate': 'Basic realm="GitHub"' } };
}
