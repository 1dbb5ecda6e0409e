import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Bundle, bundleFunctions } from '../../build/bundle/bundle.ts'
import { shareFolder } from '../support/shared-folder.ts'

export interface SharedBundles {
  /** Contains a folder for each function. */
  readonly folder: string
  readonly bundles: readonly Bundle[]
}

/** Bundles all functions once per run. */
export const shareBundles = async (): Promise<SharedBundles> => {
  const folder = await shareFolder('bundles', async (outDir) => {
    writeFileSync(join(outDir, 'bundles.json'), JSON.stringify(await bundleFunctions({ outDir })))
  })
  return { folder, bundles: JSON.parse(readFileSync(join(folder, 'bundles.json'), 'utf8')) }
}
