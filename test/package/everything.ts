import { expect } from 'vitest'
import { runOrFail } from './project.ts'

/** Synthesizes the service with all that it can have, in a project with `test/package/app/everything.cjs`. */
export const synthesizeEverything = async (folder: string): Promise<void> => {
  const output = await runOrFail(['node', 'everything.cjs'], { cwd: folder })
  // The CDK can print warnings first.
  const types: readonly string[] = JSON.parse(output.slice(output.indexOf('["')))
  expect(types).toContain('AWS::CloudFront::Distribution')
  expect(types.filter((type) => type === 'AWS::Lambda::Function').length).toBeGreaterThan(20)
  expect(types.length).toBeLessThanOrEqual(415)
}
