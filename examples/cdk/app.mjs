import { AuthService } from '@latchkey/construct'
import { App, Stack } from 'aws-cdk-lib'
import { HttpApi, HttpMethod } from 'aws-cdk-lib/aws-apigatewayv2'
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations'
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda'

const stack = new Stack(new App(), 'Product')
const auth = new AuthService(stack, 'Auth')
const films = new LambdaFunction(stack, 'Films', {
  runtime: Runtime.NODEJS_24_X,
  handler: 'index.handler',
  code: Code.fromInline("exports.handler = async () => ['Metropolis', 'Nosferatu']"),
})
new HttpApi(stack, 'Api').addRoutes({
  path: '/films',
  methods: [HttpMethod.GET],
  integration: new HttpLambdaIntegration('Films', films),
  authorizer: auth.jwtAuthorizer({ audience: 'https://films.example.com' }),
})
