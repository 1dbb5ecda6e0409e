import { AuthService, OidcClient } from '@latchkey/construct'
import { App, CfnOutput, Stack } from 'aws-cdk-lib'
import { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2'
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations'
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda'

const stack = new Stack(new App(), 'Product')
const auth = new AuthService(stack, 'Auth')
const server = new LambdaFunction(stack, 'Server', {
  runtime: Runtime.NODEJS_24_X,
  handler: 'index.handler',
  code: Code.fromAsset('product'),
  environment: { ISSUER: auth.url },
})
const api = new HttpApi(stack, 'Api', { defaultIntegration: new HttpLambdaIntegration('Server', server) })
const redirectUris = [`${api.apiEndpoint}/callback`]
new OidcClient(stack, 'Web', { auth, key: 'web', name: 'Product', type: 'public', redirectUris })
new CfnOutput(stack, 'ProductUrl', { value: api.apiEndpoint })
