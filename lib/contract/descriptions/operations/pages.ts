import type { pages } from '../../operations/pages.ts'
import type { OperationTexts } from '../describe.ts'

const html = { 200: [{ summary: 'A page', value: '<!doctype html>…' }] } as const

export const pagesTexts: OperationTexts<typeof pages> = {
  signInPage: {
    description: `Shows the sign-in page for browsers. It offers passwords, passkeys and the identity providers. After the sign-in, the browser
has the session cookie and goes to the start page of the user. A product can use a page of its own instead.`,
    parameters: {},
    responses: html,
  },
  resetPage: {
    description: `Shows the page that a password reset link opens. The token is in the fragment of the URL, which browsers never send. Opening
the page changes nothing. The user enters a new password, and the page calls \`reset_password\`.`,
    parameters: {},
    responses: html,
  },
  securePage: {
    description: `Shows the page that the link "This wasn't me" of a security email opens. Opening the page changes nothing. Its button calls
\`report_change\`.`,
    parameters: {},
    responses: html,
  },
  confirmPage: {
    description: `Shows the page that a link in an email opens to confirm an address. Opening the page changes nothing, so that mail scanners do
not use up the link. Its button calls \`confirm_email\`.`,
    parameters: {},
    responses: html,
  },
  linkPage: {
    description: `Shows the page that an access link opens, unless the link has a page of a product as \`url\`. The value of the link is in the
fragment of the URL. Opening the page takes no view. Its button calls \`redeem_access_token\`.`,
    parameters: {},
    responses: html,
  },
  passkeysPage: {
    description:
      'Leads to the account page, where users add, rename and remove their passkeys. Older links open this address.',
    parameters: {},
    responses: {},
  },
  invitePage: {
    description: `Shows the page that the link of an invitation opens. The token is in the fragment of the address, which no server gets, and
opening the page uses nothing. The user chooses a password, a passkey or the account of their company, and is signed in.`,
    parameters: {},
    responses: html,
  },
  accountPage: {
    description: `Shows the page where users manage their account: profile, password, second factor, passkeys, sessions and API tokens. Without
a session, it leads to the sign-in page and back.`,
    parameters: {},
    responses: html,
  },
  adminPage: {
    description: `Shows the console for administrators. Every user with a session gets the page, which shows only what their permissions allow.
All its data comes from the operations of this interface, which check the permissions. Without a session, it leads to the
sign-in page and back.`,
    parameters: {},
    responses: html,
  },
  getScript: {
    description: `Returns a script of the pages. Its name contains a hash of its content, so browsers and CDNs keep it. A new version of the service
has other names.`,
    parameters: { name: { description: 'The name that a page contains.', example: 'account-ABCDEFGH.js' } },
    responses: { 200: [{ summary: 'A script', value: 'export{};' }] },
  },
  getStylesheet: {
    description:
      'Returns a stylesheet of the pages. Its name contains a hash of its content, so browsers and CDNs keep it.',
    parameters: { name: { description: 'The name that a page contains.', example: 'account-ABCDEFGH.css' } },
    responses: { 200: [{ summary: 'A stylesheet', value: 'body{margin:0}' }] },
  },
  referencePage: {
    description: `Shows all operations, models and errors of this service, with a guide. It needs no credential. The setting \`apiReference\` decides
whether readers can also send calls from the page, or turns it off, which makes this a 404.`,
    parameters: {},
    responses: html,
  },
  getFavicon: {
    description:
      'Returns the icon that browsers show for the pages of the service. Browsers keep it for a week.',
    parameters: {},
    responses: { 200: [{ summary: 'An icon', value: '(binary)' }] },
  },
  getRobots: {
    description: 'Returns the rules for crawlers (RFC 9309): no page of the service is for search engines.',
    parameters: {},
    responses: { 200: [{ summary: 'No page', value: 'User-agent: *\nDisallow: /\n' }] },
  },
  getOpenApi: {
    description: `Returns this document: a description of all operations in the format OpenAPI 3.1. Generators make clients from it. It needs no
credential.`,
    parameters: {},
    responses: {
      200: [
        {
          summary: 'The start of the document',
          value: { openapi: '3.1.0', info: { title: 'Latchkey', version: '2' } },
        },
      ],
    },
  },
}
