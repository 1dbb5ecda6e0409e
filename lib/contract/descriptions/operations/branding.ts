import { formerLogoLifetimeMs, formerLogosMax } from '../../../limits/limits.ts'
import { describeDuration } from '../../../util/describe-duration.ts'
import { Branding, LogoUpload, ProductBranding } from '../../models/branding.ts'
import type { branding } from '../../operations/branding.ts'
import type { OperationTexts } from '../describe.ts'
import { exampleOf } from '../example-of.ts'
import { exampleLogo } from '../example-values.ts'

const name = {
  description: 'The name of the product in the setting `linkUrl`. For any other name, the response is 404.',
  example: 'Shop',
} as const

const settings = {
  product_name: 'Acme',
  accent_color: '#1d4ed8',
  support_url: 'https://www.example.com/help',
  privacy_url: 'https://www.example.com/privacy',
}
const productSettings = { product_name: 'Acme Shop', accent_color: '#b91c1c' }

const service = [{ summary: 'The branding of the service', value: exampleOf(Branding) }]
const product = [{ summary: 'The branding of a product', value: exampleOf(ProductBranding) }]
const upload = [{ summary: 'A small PNG image', value: exampleOf(LogoUpload) }]

const formerLogos = `The logo before stays readable for ${describeDuration(formerLogoLifetimeMs)}, because emails show it. Of former logos, the
newest ${formerLogosMax} are kept.`

export const brandingTexts: OperationTexts<typeof branding> = {
  getBranding: {
    description: `Gets how pages and emails look. It needs no credential, so that the pages of a product can look the same. With \`product\`, it
is the branding of a product, with everything that it inherits from the service.`,
    parameters: {
      product: {
        description:
          'The name of a product in the setting `linkUrl`. For any other name, the response is 404.',
        example: 'Shop',
      },
    },
    responses: { 200: service },
  },
  updateBranding: {
    description: `Replaces the branding of the service. A field that is null or left out returns to its default. The logo stays. Pages and emails
show the change within seconds. Colors without enough contrast are a 400 that names the contrast. The audit event is \`branding.changed\`.`,
    parameters: {},
    request: [{ summary: 'A name, a color and two links', value: settings }],
    responses: { 200: service },
  },
  patchBranding: {
    description: `Changes the fields of the branding that the body contains. A field that is null returns to its default. The audit event is
\`branding.changed\`.`,
    parameters: {},
    request: [{ summary: 'Another color', value: { accent_color: '#047857' } }],
    responses: { 200: service },
  },
  resetBranding: {
    description: `Removes everything that was set for the service, also its logo. Products keep what was set for them. The audit event is
\`branding.reset\`.`,
    parameters: {},
  },
  uploadLogo: {
    description: `Uploads the logo of the service and replaces the one before. The bytes of the file decide about its type. ${formerLogos}
The audit event is \`branding.changed\`.`,
    parameters: {},
    request: upload,
    responses: { 200: service },
  },
  deleteLogo: {
    description: `Removes the logo of the service. Products with a logo of their own keep it. ${formerLogos} The audit event is \`branding.changed\`.`,
    parameters: {},
  },
  getProductBrandings: {
    description: `Lists the products that access links lead to, in the order of the setting \`linkUrl\`. Each has what was set for it, and what its
pages show.`,
    parameters: {},
    responses: { 200: [{ summary: 'A product', value: [exampleOf(ProductBranding)] }] },
  },
  updateProductBranding: {
    description: `Replaces the branding of a product. It inherits from the service what is null or left out. The logo stays. The audit event is
\`branding.changed\`.`,
    parameters: { name },
    request: [{ summary: 'A name and a color', value: productSettings }],
    responses: { 200: product },
  },
  patchProductBranding: {
    description: `Changes the fields of the branding of a product that the body contains. It inherits from the service what is null. The audit event
is \`branding.changed\`.`,
    parameters: { name },
    request: [{ summary: 'Another color', value: { accent_color: '#b91c1c' } }],
    responses: { 200: product },
  },
  resetProductBranding: {
    description: `Removes everything that was set for a product, also its logo. It then has the branding of the service. The audit event is
\`branding.reset\`.`,
    parameters: { name },
  },
  uploadProductLogo: {
    description: `Uploads the logo of a product and replaces the one before. The bytes of the file decide about its type. ${formerLogos}
The audit event is \`branding.changed\`.`,
    parameters: { name },
    request: upload,
    responses: { 200: product },
  },
  deleteProductLogo: {
    description: `Removes the logo of a product, which then has that of the service. ${formerLogos} The audit event is \`branding.changed\`.`,
    parameters: { name },
  },
  getLogo: {
    description: `Returns the image of a logo. The \`logo\` of a branding has its address. Browsers keep it, because another image has another
address.`,
    parameters: {
      hash: { description: 'The SHA-256 of the image in hexadecimal digits.', example: exampleLogo.hash },
    },
    responses: { 200: [{ summary: 'An image', value: '(binary)' }] },
  },
}
