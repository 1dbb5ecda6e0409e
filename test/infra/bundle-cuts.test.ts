import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundleFunctions } from '../../build/bundle/bundle.ts'
import { type BundleCut, bundleCuts, cutPlugin } from '../../build/bundle/bundle-cuts.ts'

const folder = mkdtempSync(join(tmpdir(), 'latchkey-cuts-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('the cuts of function bundles', () => {
  /** The size of each source file as the bundler has read it, after cuts. */
  let sizes: ReadonlyMap<string, number>
  beforeAll(async () => {
    const bundles = await bundleFunctions({ outDir: folder, groups: ['tickets', 'oidc'] })
    sizes = new Map(
      bundles.flatMap(({ metafile }) =>
        Object.entries(metafile.inputs).map(([path, { bytes }]) => [path, bytes] as const),
      ),
    )
  })

  it.each(bundleCuts)('replace $file', ({ file, replace }) => {
    const path = `node_modules/${file}`
    const original = readFileSync(path, 'utf8')
    const replacement = replace(original)
    expect(replacement).not.toBe(original)
    expect(sizes.get(path)).toBe(Buffer.byteLength(replacement))
  })
})

describe('a cut', () => {
  const original = "export const greeting = 'original text'"
  const file = 'some-package/index.js'
  const path = join(folder, 'node_modules', file)
  const cutOf = (text: string): BundleCut => ({
    file,
    sha256: createHash('sha256').update(text).digest('hex'),
    reason: 'a test',
    replace: () => "export const greeting = 'replacement'",
  })
  const bundleWith = async (cut: BundleCut): Promise<string> => {
    const { outputFiles } = await build({
      stdin: { contents: `export { greeting } from 'some-package/index.js'`, resolveDir: folder },
      bundle: true,
      write: false,
      format: 'esm',
      logLevel: 'silent',
      plugins: [cutPlugin([cut])],
    })
    return outputFiles[0]?.text ?? ''
  }
  beforeAll(() => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, original)
  })

  it('replaces the file that it was written for', async () => {
    const text = await bundleWith(cutOf(original))
    expect(text).toContain('replacement')
    expect(text).not.toContain('original text')
  })

  it('fails the build when the file has changed, and names the file and its new hash', async () => {
    const actual = createHash('sha256').update(original).digest('hex')
    await expect(bundleWith(cutOf('another text'))).rejects.toThrow(
      `some-package/index.js has changed. Check whether the replacement in build/bundle/bundle-cuts.ts still fits, then set its sha256 to ${actual}.`,
    )
  })
})
