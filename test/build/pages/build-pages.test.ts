import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildPages } from '../../../build/pages/build-pages.ts'

const folders = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'latchkey-page-')))
const [folder = '', otherFolder = ''] = folders
const files = {
  'page.html':
    '<link rel="stylesheet" href="page.css"><p>$&</p><script type="module" src="page.ts"></script>',
  'page.css': '@import "./shared.css";\np { margin: 0 }\n',
  'shared.css': 'a { color: red }',
  'page.ts':
    "import { text } from './text.ts'\nconst length: number = text.length\ndocument.title = text + length\n",
  'text.ts': "export const text = '</script><script>alert(1)</script> $&'\n",
}
const pageIn = (place: string) => buildPages({ page: pathToFileURL(join(place, 'page.html')) }).page

beforeAll(() => {
  for (const place of folders)
    for (const [name, text] of Object.entries(files)) writeFileSync(join(place, name), text)
})
afterAll(() => {
  for (const place of folders) rmSync(place, { recursive: true })
})

it('inlines stylesheets and scripts with everything they import', () => {
  const { html } = pageIn(folder)
  expect(html).toMatch(/^<style>a\{color:red\}p\{margin:0\}<\/style><p>\$&<\/p><script type="module">/)
  expect(html).toContain('alert(1)')
  expect(html).not.toMatch(/href=|src=|import|: number/)
})

it('keeps a closing tag in a string from ending the script', () => {
  expect(pageIn(folder).html.match(/<\/script>/g)).toHaveLength(1)
})

it('gives the same page in every folder', () => {
  expect(pageIn(otherFolder)).toEqual(pageIn(folder))
})

it('changes the hash in the policy with the script', () => {
  const policyOf = () => pageIn(folder).headers['content-security-policy'] ?? ''
  const before = policyOf()
  writeFileSync(join(folder, 'text.ts'), "export const text = 'another text'\n")
  const after = policyOf()
  const rules = (policy: string, name: string) => policy.split('; ').filter((rule) => rule.startsWith(name))
  expect(rules(after, 'script-src')).not.toEqual(rules(before, 'script-src'))
  expect(rules(after, 'style-src')).toEqual(rules(before, 'style-src'))
})

it('allows no script and no request on a page without a script', () => {
  writeFileSync(join(otherFolder, 'page.html'), '<link rel="stylesheet" href="page.css">')
  expect(pageIn(otherFolder).headers['content-security-policy']).not.toMatch(/script-src|connect-src/)
})

it('puts a page into its frame, whose links count from the page', () => {
  writeFileSync(join(otherFolder, 'frame.html'), '<link rel="stylesheet" href="page.css"><slot></slot><hr>')
  writeFileSync(join(otherFolder, 'page.html'), '<link rel="frame" href="frame.html">\n<p>$&</p>\n')
  expect(pageIn(otherFolder).html).toMatch(/^<style>.*<\/style><p>\$&<\/p>\n<hr>$/)
})

it('fails if a linked file is missing', () => {
  writeFileSync(join(otherFolder, 'page.html'), '<script type="module" src="missing.ts"></script>')
  expect(() => pageIn(otherFolder)).toThrow('Could not resolve')
})
