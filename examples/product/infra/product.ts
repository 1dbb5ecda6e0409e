import type { AuthService } from '@latchkey/construct'
import { Duration } from 'aws-cdk-lib'
import { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2'
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations'
import { AttributeType, Billing, TableV2 } from 'aws-cdk-lib/aws-dynamodb'
import { Runtime } from 'aws-cdk-lib/aws-lambda'
import { NodejsFunction, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs'
import { Secret } from 'aws-cdk-lib/aws-secretsmanager'
import { Trigger } from 'aws-cdk-lib/triggers'
import { Construct } from 'constructs'

/** The product on AWS: an HTTP API with one function, a table for sessions, and its credentials at Latchkey. */
export class Product extends Construct {
  /** The origin of the product. */
  readonly origin: string

  readonly #api: HttpApi

  constructor(scope: Construct, id: string) {
    super(scope, id)
    this.#api = new HttpApi(this, 'Api')
    this.origin = this.#api.apiEndpoint
  }

  /** Adds the function that serves the product, and registers the product at Latchkey after the first deployment. */
  connect(auth: AuthService): void {
    const sessions = new TableV2(this, 'Sessions', {
      partitionKey: { name: 'id', type: AttributeType.STRING },
      globalSecondaryIndexes: [
        { indexName: 'by-sid', partitionKey: { name: 'sid', type: AttributeType.STRING } },
      ],
      billing: Billing.onDemand(),
      timeToLiveAttribute: 'expiresAt',
    })
    const credentials = new Secret(this, 'Credentials')
    const environment = {
      ORIGIN: this.origin,
      LATCHKEY_URL: auth.url,
      CREDENTIALS_SECRET: credentials.secretArn,
    }

    const serve = this.#addFunction('serve', { ...environment, SESSIONS_TABLE: sessions.tableName })
    sessions.grantReadWriteData(serve)
    credentials.grantRead(serve)
    this.#api.addRoutes({ path: '/{proxy+}', integration: new HttpLambdaIntegration('Serve', serve) })
    this.#api.addRoutes({ path: '/', integration: new HttpLambdaIntegration('ServeRoot', serve) })

    const register = this.#addFunction('register', {
      ...environment,
      ADMIN_SECRET: auth.adminPassword.secretArn,
    })
    auth.adminPassword.grantRead(register)
    credentials.grantRead(register)
    credentials.grantWrite(register)
    new Trigger(this, 'Register', { handler: register, executeAfter: [auth], timeout: Duration.minutes(2) })
  }

  #addFunction(name: string, environment: Record<string, string>): NodejsFunction {
    return new NodejsFunction(this, name, {
      entry: new URL(`../src/lambda/${name}.ts`, import.meta.url).pathname,
      runtime: Runtime.NODEJS_24_X,
      memorySize: 512,
      timeout: Duration.minutes(1),
      environment,
      bundling: { format: OutputFormat.ESM, mainFields: ['module', 'main'], minify: true },
    })
  }
}
