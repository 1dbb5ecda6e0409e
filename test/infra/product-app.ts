import { App, CfnOutput, Stack } from 'aws-cdk-lib'
import { AuthService } from '../../infra/auth-service.ts'

/*
 * An app of a product that has the service in its own stack: `node product-app.ts OUTDIR BUNDLE-DIR`. The checks
 * synthesize it from two folders and compare the results.
 */

const [outdir = '', bundleDir = ''] = process.argv.slice(2)
const app = new App({ outdir, analyticsReporting: false })
const stack = new Stack(app, 'Product')
const auth = new AuthService(stack, 'Auth', { bundleDir })
new CfnOutput(stack, 'SignIn', { value: auth.url })
app.synth()
