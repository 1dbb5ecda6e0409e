import * as z from 'zod/mini'
import { adminBySession } from '../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../kernel/contract/describe.ts'
import { writable } from '../../kernel/contract/fields.ts'
import { defineOperation } from '../../kernel/contract/operation.ts'
import { formerLogoLifetimeMs, formerLogosMax, logoKinds } from '../../kernel/limits/limits.ts'
import { describeDuration } from '../../kernel/util/time.ts'
import { BrandingSettings, LogoUpload, ProductBranding } from './models.ts'

/** A logo of 128 KiB in base64. */
const logoBodyBytes = 192 * 1024
const productSettings = writable(BrandingSettings, ProductBranding)

const nameDescription =
  docs &&
  ({
    description: 'The name of the product in the setting `linkUrl`. For any other name, the response is 404.',
    example: 'Shop',
  } as const)

const exampleProductSettings = docs && { product_name: 'Acme Shop', accent_color: '#b91c1c' }
const exampleProductBranding = docs && [
  { summary: 'The branding of a product', value: exampleOf(ProductBranding) },
]
const exampleUpload = docs && [{ summary: 'A small PNG image', value: exampleOf(LogoUpload) }]
const formerLogosDescription =
  docs &&
  `The logo before stays readable for ${describeDuration(formerLogoLifetimeMs)}, because emails show it. Of former logos, the
newest ${formerLogosMax} are kept.`

/** The branding of single products. */
export const brandingProducts = {
  getProductBrandings: defineOperation({
    id: 'get_product_brandings',
    group: 'branding',
    method: 'GET',
    path: '/api/2/branding/products',
    access: adminBySession,
    summary: 'List the brandings of products',
    responses: { 200: docs && z.array(ProductBranding) },
    text:
      docs &&
      describe(() => ({
        description: `Lists the products that access links lead to, in the order of the setting \`linkUrl\`. Each has what was set for it, and what its
pages show.`,
        parameters: {},
        responses: { 200: [{ summary: 'A product', value: [exampleOf(ProductBranding)] }] },
      })),
  }),
  updateProductBranding: defineOperation({
    id: 'update_product_branding',
    group: 'branding',
    method: 'PUT',
    path: '/api/2/branding/products/{name}',
    access: adminBySession,
    summary: 'Replace the branding of a product',
    body: productSettings,
    responses: { 200: docs && ProductBranding },
    errors: ['not_found', 'conflict'],
    audit: ['branding.changed'],
    seals: { kinds: ['product_branding'] },
    text:
      docs &&
      describe(() => ({
        description: `Replaces the branding of a product. It inherits from the service what is null or left out. The logo stays.`,
        parameters: { name: nameDescription },
        request: [{ summary: 'A name and a color', value: exampleProductSettings }],
        responses: { 200: docs && exampleProductBranding },
      })),
  }),
  patchProductBranding: defineOperation({
    id: 'patch_product_branding',
    group: 'branding',
    method: 'PATCH',
    path: '/api/2/branding/products/{name}',
    access: adminBySession,
    summary: 'Update parts of the branding of a product',
    body: productSettings,
    responses: { 200: docs && ProductBranding },
    errors: ['not_found', 'conflict'],
    audit: ['branding.changed'],
    seals: { kinds: ['product_branding'] },
    text:
      docs &&
      describe(() => ({
        description: `Changes the fields of the branding of a product that the body contains. It inherits from the service what is null.`,
        parameters: { name: nameDescription },
        request: [{ summary: 'Another color', value: { accent_color: '#b91c1c' } }],
        responses: { 200: docs && exampleProductBranding },
      })),
  }),
  resetProductBranding: defineOperation({
    id: 'reset_product_branding',
    group: 'branding',
    method: 'DELETE',
    path: '/api/2/branding/products/{name}',
    access: adminBySession,
    summary: 'Give a product the branding of the service',
    responses: { 204: null },
    errors: ['not_found', 'conflict'],
    audit: ['branding.reset'],
    seals: { kinds: ['product_branding'] },
    text:
      docs &&
      describe(() => ({
        description: `Removes everything that was set for a product, also its logo. It then has the branding of the service.`,
        parameters: { name: nameDescription },
      })),
  }),
  uploadProductLogo: defineOperation({
    id: 'upload_product_logo',
    group: 'branding',
    method: 'PUT',
    path: '/api/2/branding/products/{name}/logo',
    access: adminBySession,
    summary: 'Upload the logo of a product',
    body: LogoUpload,
    bodyLimitBytes: logoBodyBytes,
    responses: { 200: docs && ProductBranding },
    errors: ['not_found', 'conflict'],
    audit: ['branding.changed'],
    seals: { kinds: ['product_branding'] },
    text:
      docs &&
      describe(() => ({
        description: `Uploads the logo of a product, its logo for dark mode, or its icon, and replaces the one before. The bytes of the file decide about its type. ${formerLogosDescription}`,
        parameters: { name: nameDescription },
        request: exampleUpload,
        responses: { 200: docs && exampleProductBranding },
      })),
  }),
  deleteProductLogo: defineOperation({
    id: 'delete_product_logo',
    group: 'branding',
    method: 'DELETE',
    path: '/api/2/branding/products/{name}/logo',
    access: adminBySession,
    summary: 'Remove the logo of a product',
    query: z.strictObject({ kind: z.optional(z.enum(logoKinds)) }),
    responses: { 204: null },
    errors: ['not_found', 'conflict'],
    audit: ['branding.changed'],
    seals: { kinds: ['product_branding'] },
    text:
      docs &&
      describe(() => ({
        description: `Removes the logo of a product, or another image of it. It then has that of the service. ${formerLogosDescription}`,
        parameters: {
          name: nameDescription,
          kind: {
            description: 'Which image: `logo`, `dark_logo` or `icon`. Default: `logo`.',
            example: 'dark_logo',
          },
        },
      })),
  }),
}
