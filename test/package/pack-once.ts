import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { TestProject } from 'vitest/node'
import { pack, type Tarballs } from './project.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The paths of the packages, which are packed once for all test files. */
    readonly tarballs: Tarballs
  }
}

export const setup = async (project: TestProject): Promise<() => void> => {
  const tarballs = await pack()
  project.provide('tarballs', tarballs)
  return () => rmSync(dirname(tarballs.client), { recursive: true })
}
