import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { TestProject } from 'vitest/node'
import { pack } from './project.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The path of the package, which is packed once for all test files. */
    readonly tarball: string
  }
}

export const setup = async (project: TestProject): Promise<() => void> => {
  const tarball = await pack()
  project.provide('tarball', tarball)
  return () => rmSync(dirname(tarball), { recursive: true })
}
