import { describe, expect, it } from 'vitest'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const { bearer } = await addSignedIn(service, { permissions: ['system:admin-access'] })
const body = { product_name: 'Media <b>Library</b>', accent_color: '#0f766e' }
const answer = await service.client('PATCH', '/api/2/branding', { bearer, body })
expect(answer.status).toBe(200)

const open = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  service.client('GET', path, { headers: { accept: 'text/html', ...headers } })

describe('a page about an error', () => {
  it('has the name and the colors of the brand', async () => {
    const { text } = await open('/nothing')
    expect(text).toContain('<title>Page not found – Media &lt;b&gt;Library&lt;/b&gt;</title>')
    expect(text).toContain('--accent:#0f766e')
    expect(text).not.toContain('<b>')
  })

  it.each([
    [
      'the language of the browser',
      '/nothing',
      { 'accept-language': 'de-CH, en;q=0.5' },
      'de',
      'Seite nicht gefunden',
    ],
    [
      'the language chosen in the browser',
      '/nothing',
      { 'accept-language': 'de', cookie: 'language=ja' },
      'ja',
      'ページが見つかりません',
    ],
    [
      'the language that a client asks for',
      '/nothing?ui_locales=nb',
      { cookie: 'language=ja' },
      'nb',
      'Fant ikke siden',
    ],
    [
      'of a sign-in with a provider',
      '/api/2/auth/saml/1/sso',
      { 'accept-language': 'fr' },
      'fr',
      'Page introuvable',
    ],
    [
      'of an app',
      '/oauth2/authorize?client_id=x',
      { 'accept-language': 'es' },
      'es',
      'No se pudo iniciar sesión',
    ],
  ])('uses %s', async (_, path, headers, language, title) => {
    const { text } = await open(path, headers)
    expect(text).toContain(`<html lang="${language}" dir="ltr">`)
    expect(text).toContain(`<h1>${title}</h1>`)
  })
})
