import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createBareRepository } from './bare-repository.js';
import type { GitRepository, GitStore } from './git-repository.js';

/** Bare repositories below one folder, each named after its repository id: renames never move anything. */
export class BareStore implements GitStore {
  readonly #folder: string;
  readonly #open = new Map<number, GitRepository>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  async create(repositoryId: number, defaultBranch: string): Promise<GitRepository> {
    await mkdir(this.#folder, { recursive: true });
    const repository = await createBareRepository(join(this.#folder, `${repositoryId}.git`), { defaultBranch });
    this.#open.set(repositoryId, repository);
    return repository;
  }

  get(repositoryId: number): GitRepository {
    const repository = this.#open.get(repositoryId);
    if (repository === undefined) throw new Error(`repository ${repositoryId} has no git directory`);
    return repository;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.values()].map((repository) => repository.close()));
    this.#open.clear();
  }
}
