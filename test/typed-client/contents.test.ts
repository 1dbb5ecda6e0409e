import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { createClient } from '../../lib/client/create-client.ts'
import { routes } from '../../lib/client/generated/routes.ts'
import { parseRoute } from '../../lib/client/send.ts'
import { operations } from '../../lib/features/operations.ts'

const entries = Object.values(routes).flatMap((group) => Object.entries<string>(group))

const run = promisify(execFile)

describe('the typed client', () => {
  it('has a method for every operation of the interface', () => {
    const called = entries.map(([, text]) => parseRoute(text)).map(({ method, path }) => `${method} ${path}`)
    expect(called.sort()).toEqual(operations.map(({ method, path }) => `${method} ${path}`).sort())
  })

  it('has an iterator for every list', () => {
    const client = createClient({ baseUrl: 'https://auth.example.com' })
    const methods = new Set(Object.values(client).flatMap((group) => Object.keys(group)))
    const lists = entries.filter(([, text]) => parseRoute(text).result === 'list').map(([name]) => name)
    expect(lists.length).toBeGreaterThan(8)
    for (const list of lists) {
      expect(list).toMatch(/^list[A-Z]/)
      expect(methods).toContain(list.replace('list', 'iterate'))
    }
  })

  it('has at most 9.5 KB in a browser, and contains nothing else', async () => {
    const { outputFiles, metafile } = await build({
      entryPoints: ['lib/client/index.ts'],
      bundle: true,
      minify: true,
      write: false,
      metafile: true,
      platform: 'browser',
      format: 'esm',
    })
    const [file] = outputFiles
    expect(gzipSync(file?.contents ?? '').byteLength).toBeLessThan(9.5 * 1024)
    expect(
      Object.keys(metafile.inputs).filter((path) => !/^lib\/(client|kernel\/options)\//.test(path)),
    ).toEqual([])
  })

  it('compiles for browsers, without the types of Node', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-types-'))
    const compilerOptions = {
      lib: ['es2023', 'dom', 'dom.iterable'],
      types: [],
      module: 'esnext',
      moduleResolution: 'bundler',
    }
    const files = ['client', 'middleware'].map((name) => resolve(`lib/${name}/index.ts`))
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ extends: resolve('tsconfig.json'), compilerOptions, files, include: [] }),
    )
    const errors = await run(resolve('node_modules/.bin/tsc'), ['-p', folder]).then(
      () => '',
      ({ stdout }) => stdout,
    )
    rmSync(folder, { recursive: true })
    expect(errors).toBe('')
  })
})
