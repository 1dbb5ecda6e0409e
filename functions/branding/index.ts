import { branding } from '../../lib/contract/operations/branding.ts'
import { createGroupHandler } from '../create-group-handler.ts'
import { getLogo } from './get-logo.ts'
import { deleteLogo, deleteProductLogo, uploadLogo, uploadProductLogo } from './logo.ts'
import { getBranding, getProductBrandings } from './read.ts'
import {
  patchBranding,
  patchProductBranding,
  resetBranding,
  resetProductBranding,
  updateBranding,
  updateProductBranding,
} from './write.ts'

export const handler = createGroupHandler(branding, {
  getBranding,
  updateBranding,
  patchBranding,
  resetBranding,
  uploadLogo,
  deleteLogo,
  getProductBrandings,
  updateProductBranding,
  patchProductBranding,
  resetProductBranding,
  uploadProductLogo,
  deleteProductLogo,
  getLogo,
})
