import { readFile } from 'node:fs/promises'
import * as z from 'zod/mini'
import { CommandFailure, codeOf } from '../../local/command-failure.ts'
import { parseJson } from './request.ts'

/** What `npm run release` writes about a version, as far as checks compare it with an account. */
const ReleaseFile = z.object({
  version: z.string(),
  /** The SHA-256 of the zip file of each function, as Lambda shows it. */
  functions: z.record(z.string(), z.string()),
  /** The statements that the role of each function may have. Parts that differ between accounts are `*`. */
  grants: z.record(z.string(), z.array(z.string())),
  /** The function of each route of the API. */
  routes: z.record(z.string(), z.string()),
  /** The SHA-256 of files of the pages, by their paths. */
  pages: z.record(z.string(), z.string()),
})
export type ReleaseFile = z.output<typeof ReleaseFile>

/** @throws CommandFailure if the file cannot be read */
export const readReleaseFile = async (path: string): Promise<ReleaseFile> => {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new CommandFailure(`${path} cannot be read (${codeOf(error)}). Choose another file with --release.`)
  })
  const release = z.safeParse(ReleaseFile, parseJson(text))
  if (!release.success)
    throw new CommandFailure(`${path} does not describe a release. Take release.json of the release.`)
  return release.data
}
