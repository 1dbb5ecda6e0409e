import { encode } from 'uqr'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type AccountFlow, openSection, startAccountFlow } from '../support/account-flows.ts'
import { ageProofs, signInBrowser } from '../support/account-pages.ts'
import { type Authenticator, authenticatorOf } from '../support/authenticator.ts'
import { readClipboard } from '../support/clipboard.ts'
import { getFocused, openPage, saveFile } from '../support/pages.ts'
import { addPasskeyDevice } from '../support/passkey-device.ts'
import { inOneBrowser } from '../support/personas.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

const service = await useService({}, { hostname: 'localhost' })
afterEach(() => vi.useRealTimers())

/** The dark squares of a QR code, each as a path. */
const drawQrCode = (text: string): string =>
  encode(text, { ecc: 'M', border: 4 })
    .data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('')

/** Adds the key that the page shows to an app. */
const scan = async ({ page, person }: AccountFlow): Promise<Authenticator> => {
  const key = (await page.locator('.secret').innerText()).replaceAll(' ', '')
  const address = `otpauth://totp/Latchkey:${person.user.username}?secret=${key}&issuer=Latchkey`
  await expect.poll(() => page.locator('.qr-code path').last().getAttribute('d')).toBe(drawQrCode(address))
  return authenticatorOf(key)
}

const listCodes = ({ page }: AccountFlow) => page.locator('.recovery-codes li').allInnerTexts()

/** Copies recovery codes, and downloads them. */
const keepCodes = async (flow: AccountFlow, codes: readonly string[]): Promise<void> => {
  const { page, person, activate, press, state, words } = flow
  await activate(page.getByRole('button', { name: words.session('copy') }))
  await state.getByText(words.session('copied')).waitFor()
  await expect.poll(() => readClipboard(page)).toBe(codes.join('\n'))
  const { text } = await saveFile(page, () => press(words.security('download')))
  expect(text).toContain(codes.join('\n'))
  expect(text).toContain(person.user.username)
}

describe.each(inOneBrowser)('$name', async (persona) => {
  const browser = await shareBrowser(persona.browser)

  it('sets up two-step verification, renews its recovery codes, and turns it off', async () => {
    const flow = await startAccountFlow(service, browser, persona)
    const { page, activate, fill, press, type, look, seeDone, person, confirmIdentity, words } = flow
    const { security, session } = words
    await openSection(service, flow, 'two-step')
    await press(security('setUp'))
    await expect.poll(() => getFocused(page)).toBe(security('setUp'))
    // Firefox 153 crashes when axe has examined the QR code.
    const lookAtQrCode = () => look('everybody', persona.browser === 'Firefox' ? '.qr-code' : undefined)
    await lookAtQrCode()
    const authenticator = await scan(flow)
    await fill({ [security('code')]: '12' })
    await press(security('turnOn'))
    await page.getByText(security('codeNotMatching')).waitFor()
    await lookAtQrCode()
    await fill({ [security('code')]: authenticator.code() })
    await seeDone(security('turnedOn'))
    await look()
    const codes = await listCodes(flow)
    expect(new Set(codes).size).toBe(10)
    await keepCodes(flow, codes)
    await press(security('codesStored'))
    await page.getByText(security('codesLeft', { count: 10 })).waitFor()
    await look()
    // The step of the code does not end before the check, however slow the browser is.
    vi.useFakeTimers({ toFake: ['Date'] })
    await fill({ [security('code')]: authenticator.code(1) })
    await seeDone(security('synced', { seconds: 30 }))
    vi.useRealTimers()

    await press(security('renewCodes'))
    const dialog = page.getByRole('dialog')
    await look()
    await activate(dialog.getByRole('button', { name: security('renewCodes') }))
    await seeDone(security('codesRenewed'))
    const [first = '', second = ''] = await listCodes(flow)
    expect(codes).not.toContain(first)
    await press(security('codesStored'))

    await ageProofs(service, person)
    await press(security('turnOff'))
    await look()
    await type(dialog.getByLabel(security('code')), first)
    await activate(dialog.getByRole('button', { name: security('turnOff') }))
    await confirmIdentity()
    const proof = page.getByRole('dialog', { name: session('confirmHeading') })
    await type(proof.getByLabel(session('code')), 'wrong')
    await activate(proof.getByRole('button', { name: session('confirm'), exact: true }))
    await proof.getByText(session('wrongCode')).waitFor()
    await look()
    await type(proof.getByLabel(session('code')), second)
    await activate(proof.getByRole('button', { name: session('confirm'), exact: true }))
    await seeDone(security('turnedOff'))
    await page.getByRole('button', { name: security('setUp') }).waitFor()
    await look()
  })

  it('adds, renames and removes a passkey, and proves with it who acts', async () => {
    const flow = await startAccountFlow(service, browser, persona)
    const { page, activate, fill, press, check, type, look, seeDone, problem, person, words } = flow
    const { security, session, kit } = words
    await addPasskeyDevice(page)
    await openSection(service, flow, 'passkeys')
    await page.getByText(security('noPasskeys')).waitFor()
    await fill({ [security('passkeyName')]: 'Laptop' })
    await press(security('addPasskey'))
    await seeDone(security('passkeyAdded'))
    await look()
    await fill({ [security('passkeyName')]: 'Again' })
    await press(security('addPasskey'))
    await problem.getByText(kit('passkeyExists')).waitFor()
    await look()
    await press(`${security('rename')} Laptop`)
    await look()
    await type(page.getByRole('dialog').getByLabel(security('name'), { exact: true }), 'Old laptop')
    await press(kit('save'))
    await seeDone(security('passkeyRenamed'))
    await check(page.getByLabel(security('requirePasskey')))
    await problem.getByText(security('addSpareFirst')).waitFor()
    await look()

    await ageProofs(service, person)
    await press(`${security('remove')} Old laptop`)
    await look()
    const dialog = page.getByRole('dialog')
    await activate(dialog.getByRole('button', { name: security('remove'), exact: true }))
    await page.getByRole('dialog', { name: session('confirmHeading') }).waitFor()
    await look()
    await press(session('confirmWithPasskey'))
    await seeDone(security('passkeyRemoved'))
    await page.getByText(security('noPasskeys')).waitFor()
    await expect.poll(() => getFocused(page)).toBe(words.account('passkeys'))
  })

  it('changes the password after a wrong and a refused one', async () => {
    const flow = await startAccountFlow(service, browser, persona)
    const { page, fill, press, look, seeDone, person, words } = flow
    const { security, newPassword } = words
    const [current, next] = [security('currentPassword'), newPassword('newPassword')]
    await openSection(service, flow, 'password')
    await fill({ [current]: 'wrong', [next]: 'violin harbor mustard tent 7' })
    await look()
    await press(security('changePassword'))
    await page.getByText(security('wrongPassword')).waitFor()
    await look()
    await fill({ [current]: person.password, [next]: 'short' })
    await press(security('changePassword'))
    await expect.poll(() => page.getByLabel(next, { exact: true }).getAttribute('aria-invalid')).toBe('true')
    await look()
    await fill({ [next]: 'violin harbor mustard tent 7' })
    await press(security('changePassword'))
    await seeDone(security('passwordChanged'))
    await look()
    await expect.poll(() => page.getByLabel(current, { exact: true }).inputValue()).toBe('')
    const other = await openPage(browser)
    await signInBrowser(service, other, { ...person, password: 'violin harbor mustard tent 7' })
  })
})
