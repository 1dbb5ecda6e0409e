import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { emailPreviews } from '../../local/previews/emails.ts'
import { goldenFolder, renderGoldenFiles } from './golden-files.ts'

/*
 * The emails as people get them. After a wanted change, `npm run emails` writes the files again, and the review of the
 * change shows what is different.
 */

const files = renderGoldenFiles()

describe('the emails', () => {
  it('have different names', () => {
    const names = emailPreviews.map(({ name }) => name)
    expect(names).toEqual([...new Set(names)])
  })

  it('have a file each, and there are no others', () => {
    expect(readdirSync(goldenFolder).sort()).toEqual([...files.keys()].sort())
  })

  it.each([...files.keys()])('are those of %s', (name) => {
    expect(files.get(name)).toBe(readFileSync(new URL(name, goldenFolder), 'utf8'))
  })
})
