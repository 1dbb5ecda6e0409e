import * as z from 'zod/mini'
import { exampleLogo } from '../../accounts/example-values.models.ts'
import { adminBySession, anyone } from '../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../kernel/contract/describe.ts'
import { writable } from '../../kernel/contract/fields.ts'
import { defineOperation } from '../../kernel/contract/operation.ts'
import { queryText } from '../../kernel/contract/query.ts'
import { formerLogoLifetimeMs, formerLogosMax, logoKinds } from '../../kernel/limits/limits.ts'
import { describeDuration } from '../../kernel/util/time.ts'
import { emailTexts } from '../mail/own-texts/operations.ts'
import { Branding, BrandingSettings, LogoUpload, ServiceBrandingSettings } from './models.ts'
import { brandingProducts } from './products.operations.ts'

/** A logo of 128 KiB in base64. */
const logoBodyBytes = 192 * 1024
const serviceSettings = writable(ServiceBrandingSettings, Branding)

const exampleServiceBranding = docs && [
  { summary: 'The branding of the service', value: exampleOf(Branding) },
]
const exampleUpload = docs && [{ summary: 'A small PNG image', value: exampleOf(LogoUpload) }]
const formerLogosDescription =
  docs &&
  `The logo before stays readable for ${describeDuration(formerLogoLifetimeMs)}, because emails show it. Of former logos, the
newest ${formerLogosMax} are kept.`

export const branding = {
  getBranding: defineOperation({
    id: 'get_branding',
    group: 'branding',
    method: 'GET',
    path: '/api/2/branding',
    access: anyone,
    summary: 'Get the branding of the service or of a product',
    query: z.strictObject({ product: z.optional(queryText) }),
    responses: { 200: docs && Branding },
    errors: ['not_found'],
    text:
      docs &&
      describe(() => ({
        description: `Gets how pages and emails look. It needs no credential, so that the pages of a product can look the same. With \`product\`, it
is the branding of a product, with everything that it inherits from the service.`,
        parameters: {
          product: {
            description:
              'The name of a product in the setting `linkUrl`. For any other name, the response is 404.',
            example: 'Shop',
          },
        },
        responses: { 200: docs && exampleServiceBranding },
      })),
  }),
  updateBranding: defineOperation({
    id: 'update_branding',
    group: 'branding',
    method: 'PUT',
    path: '/api/2/branding',
    access: adminBySession,
    summary: 'Replace the branding of the service',
    body: serviceSettings,
    responses: { 200: docs && Branding },
    errors: ['conflict'],
    audit: ['branding.changed'],
    seals: { kinds: ['branding'] },
    text:
      docs &&
      describe(() => ({
        description: `Replaces the branding of the service. A field that is null or left out returns to its default. The logo stays. Pages and emails
show the change within seconds. Colors without enough contrast are a 400 that names the contrast.`,
        parameters: {},
        request: [{ summary: 'A name, a color and two links', value: exampleOf(BrandingSettings) }],
        responses: { 200: docs && exampleServiceBranding },
      })),
  }),
  patchBranding: defineOperation({
    id: 'patch_branding',
    group: 'branding',
    method: 'PATCH',
    path: '/api/2/branding',
    access: adminBySession,
    summary: 'Update parts of the branding of the service',
    body: serviceSettings,
    responses: { 200: docs && Branding },
    errors: ['conflict'],
    audit: ['branding.changed'],
    seals: { kinds: ['branding'] },
    text:
      docs &&
      describe(() => ({
        description: `Changes the fields of the branding that the body contains. A field that is null returns to its default.`,
        parameters: {},
        request: [{ summary: 'Another color', value: { accent_color: '#047857' } }],
        responses: { 200: docs && exampleServiceBranding },
      })),
  }),
  resetBranding: defineOperation({
    id: 'reset_branding',
    group: 'branding',
    method: 'DELETE',
    path: '/api/2/branding',
    access: adminBySession,
    summary: 'Return to the default branding',
    responses: { 204: null },
    errors: ['conflict'],
    audit: ['branding.reset'],
    seals: { kinds: ['branding'] },
    text:
      docs &&
      describe(() => ({
        description: `Removes everything that was set for the service, also its logos. Products keep what was set for them.`,
        parameters: {},
      })),
  }),
  uploadLogo: defineOperation({
    id: 'upload_logo',
    group: 'branding',
    method: 'PUT',
    path: '/api/2/branding/logo',
    access: adminBySession,
    summary: 'Upload the logo of the service',
    body: LogoUpload,
    bodyLimitBytes: logoBodyBytes,
    responses: { 200: docs && Branding },
    errors: ['conflict'],
    audit: ['branding.changed'],
    seals: { kinds: ['branding'] },
    text:
      docs &&
      describe(() => ({
        description: `Uploads the logo of the service, its logo for dark mode, or its icon, and replaces the one before. The bytes of the file decide about its type. ${formerLogosDescription}`,
        parameters: {},
        request: exampleUpload,
        responses: { 200: docs && exampleServiceBranding },
      })),
  }),
  deleteLogo: defineOperation({
    id: 'delete_logo',
    group: 'branding',
    method: 'DELETE',
    path: '/api/2/branding/logo',
    access: adminBySession,
    summary: 'Remove the logo of the service',
    query: z.strictObject({ kind: z.optional(z.enum(logoKinds)) }),
    responses: { 204: null },
    errors: ['conflict'],
    audit: ['branding.changed'],
    seals: { kinds: ['branding'] },
    text:
      docs &&
      describe(() => ({
        description: `Removes the logo of the service, or another image of it. Products with a logo of their own keep it. ${formerLogosDescription}`,
        parameters: {
          kind: {
            description: 'Which image: `logo`, `dark_logo` or `icon`. Default: `logo`.',
            example: 'dark_logo',
          },
        },
      })),
  }),
  ...brandingProducts,
  ...emailTexts,
  getLogo: defineOperation({
    id: 'get_logo',
    group: 'branding',
    method: 'GET',
    path: '/logos/{hash}',
    access: anyone,
    summary: 'Get the image of a logo',
    // Mail services add tracking parameters to addresses in emails.
    query: z.looseObject({}),
    responses: { 200: 'image/*' },
    errors: ['not_found'],
    // Browsers ask for images, and some of them only for formats that they prefer.
    ignoresAccept: true,
    text:
      docs &&
      describe(() => ({
        description: `Returns the image of a logo. The \`logo\` of a branding has its address. Browsers keep it, because another image has another
address.`,
        parameters: {
          hash: {
            description:
              'The SHA-256 of the image in hexadecimal digits. For an organization, it is of its ID and the image.',
            example: exampleLogo.hash,
          },
        },
        responses: { 200: [{ summary: 'An image', value: '(binary)' }] },
      })),
  }),
}
