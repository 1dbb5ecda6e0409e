import type { Page } from 'playwright-core'
import { PNG } from 'pngjs'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findViolations } from '../support/axe.ts'
import { checkEnlarged } from '../support/enlarge.ts'
import { pressKeyOn, tabTo, typeInto, walkThrough } from '../support/keyboard.ts'
import { findOverflow } from '../support/looks.ts'
import { comparePictures } from '../support/pictures/compare-pictures.ts'
import { encodePalettePng } from '../support/pictures/palette-png.ts'
import { shareBrowser } from '../support/shared-browser.ts'

/* What the other tests of pages rely on is tried on small pages here, mostly on bad ones. */

const browser = await shareBrowser()
let page: Page
beforeAll(async () => {
  page = await browser.newPage()
})
beforeEach(async () => {
  await page.setViewportSize({ width: 640, height: 480 })
  await page.setContent(form)
})

const form = `<!doctype html><html lang="en"><style>
  body { font: 16px system-ui; background: #f4f4f5 } input, button { display: block; margin: 0 0 16px }
  :focus-visible { outline: 3px solid blue }
</style><body><h1>Sign in to Latchkey</h1><label for="user">Username</label><input id="user">
<label for="password">Password</label><input id="password" type="password">
<button onclick="document.title = 'pressed'">Sign in</button><a href="#help">Help</a>`

const change = (script: string) => page.evaluate(script)

describe('the comparison of pictures', () => {
  const take = async () => PNG.sync.read(await page.screenshot())
  const compareAfter = async (script: string) => {
    const before = PNG.sync.read(encodePalettePng(await take()))
    await change(script)
    return comparePictures(before, await take()).share
  }

  it('finds no difference to the stored picture of the same page', async () => {
    expect(await compareAfter('')).toBe(0)
  })

  it('accepts letters that are moved by part of a pixel', async () => {
    const all = "for (const part of document.querySelectorAll('h1, label, button, a'))"
    expect(await compareAfter(`${all} part.style.transform = 'translate(0.3px, 0.2px)'`)).toBeLessThan(0.01)
  })

  it.each([
    ['a missing label', "document.querySelector('label').style.visibility = 'hidden'"],
    ['another color', "document.querySelector('button').style.backgroundColor = '#a00'"],
    ['another place', "document.querySelector('button').style.marginLeft = '4px'"],
    ['another text', "document.querySelector('h1').textContent = 'Sign out of Latchkey'"],
    ['a dark background', "document.body.style.background = '#222'"],
    ['a border', "document.querySelector('button').style.border = '3px solid red'"],
  ])('finds %s', async (_, script) => {
    expect(await compareAfter(script)).toBeGreaterThan(0.02)
  })
})

describe('the keyboard', () => {
  it('visits fields, buttons and links in order', async () => {
    expect(await walkThrough(page)).toEqual(['input Username', 'input Password', 'button Sign in', 'a Help'])
    await typeInto(page.getByLabel('Username'), 'ada')
    await pressKeyOn(page.getByRole('button'), 'Space')
    expect(await page.title()).toBe('pressed')
    await tabTo(page.getByLabel('Username'))
    expect(await page.getByLabel('Username').inputValue()).toBe('ada')
  })

  it.each([
    [
      'an invisible focus',
      "document.querySelector('button').style.outline = 'none'",
      'with and without focus',
    ],
    [
      'a covered focus',
      "document.querySelector('h1').style.cssText = 'position: fixed; inset: 0; background: white'",
      'is covered',
    ],
    [
      'another order',
      "document.querySelector('a').style.cssText = 'position: absolute; top: 0; left: 0'",
      'a Help follows button Sign in',
    ],
  ])('reports %s', async (_, script, finding) => {
    await change(script)
    await expect(walkThrough(page)).rejects.toThrow(finding)
  })
})

describe('narrow windows and large letters', () => {
  it('reports what sticks out', async () => {
    await change("document.querySelector('button').style.width = '700px'")
    expect((await findOverflow(page)).join()).toContain('<button')
  })

  it('accepts a page that adapts', () => checkEnlarged(page, 'the form'))

  it.each([
    ['a wide element', "document.querySelector('button').style.width = '400px'", 'too wide'],
    [
      'a fixed part',
      "document.querySelector('h1').style.cssText = 'position: sticky; top: 0; height: 200px'",
      'covered',
    ],
    [
      'a cut text',
      "document.querySelector('h1').style.cssText = 'height: 1em; overflow: hidden; width: 6em'",
      'cut off',
    ],
  ])('reports %s', async (_, script, finding) => {
    await change(script)
    await expect(checkEnlarged(page, 'the form')).rejects.toThrow(finding)
  })
})

describe('axe', () => {
  const rulesFound = async (
    ...args: Parameters<typeof findViolations> extends [Page, ...infer Rest] ? Rest : never
  ) => (await findViolations(page, ...args)).map((line) => line.split(':')[0])

  it.each([
    ['all', ['button-name', 'color-contrast', 'target-size']],
    ['look', ['color-contrast', 'target-size']],
    ['size', ['target-size']],
  ] as const)('finds what the rules of %j are about', async (rules, found) => {
    await change(`document.querySelector('h1').style.color = '#ddd'; document.querySelector('button').textContent = ''
      document.querySelector('a').outerHTML = '<div style="line-height: 9px">' + '<a href="#" style="font-size: 8px; display: block">a</a>'.repeat(3) + '</div>'`)
    expect(await rulesFound('body', rules)).toEqual(expect.arrayContaining([...found]))
    if (rules !== 'all') expect(await rulesFound('body', rules)).toEqual(found)
  })
})
