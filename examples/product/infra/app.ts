import { AuthService } from '@latchkey/construct'
import { App, CfnOutput, Stack } from 'aws-cdk-lib'
import { Product } from './product.ts'

const app = new App()
for (const stage of ['Test', 'Production']) {
  const stack = new Stack(app, `MediaLibrary${stage}`)
  const product = new Product(stack, 'Product')
  const auth = new AuthService(stack, 'Auth', {
    allowedOrigins: [product.origin],
    linkUrl: `Media library=${product.origin}/shared`,
  })
  product.connect(auth)
  new CfnOutput(stack, 'MediaLibraryUrl', { value: product.origin })
}
