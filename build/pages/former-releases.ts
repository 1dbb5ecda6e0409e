import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import type { PageAssets } from './build-app.ts'

/** The files of the pages of a release, as JSON in Brotli and base64. */
interface KeptRelease {
  readonly version: string
  readonly assets: string
}

/** The newest release comes first. There is no file before the first release. */
const keptFile = fileURLToPath(new URL('former-releases.json', import.meta.url))

/** How many releases before a release have files that tabs may still load. */
const formerReleases = 2

const readKept = (file: string): readonly KeptRelease[] =>
  existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []

/** Keeps the files of a release for the tabs that are open when the next two releases are deployed. */
export const keepRelease = (version: string, assets: PageAssets, file = keptFile): void => {
  const kept = { version, assets: brotliCompressSync(JSON.stringify(assets)).toString('base64') }
  const others = readKept(file).filter((one) => one.version !== version)
  writeFileSync(file, `${JSON.stringify([kept, ...others].slice(0, 1 + formerReleases), undefined, 1)}\n`)
}

/** Returns the files of the releases before a version, the newest first. */
export const readFormerReleases = (version: string, file = keptFile): readonly string[] =>
  readKept(file)
    .filter((one) => one.version !== version)
    .slice(0, formerReleases)
    .map(({ assets }) => assets)
