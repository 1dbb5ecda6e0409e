import { type AuthService, OidcClient, ProtectedApi, ServiceAccount } from '@latchkey/construct'
import { Duration } from 'aws-cdk-lib'
import { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2'
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations'
import { AttributeType, Billing, TableV2 } from 'aws-cdk-lib/aws-dynamodb'
import { Runtime } from 'aws-cdk-lib/aws-lambda'
import { NodejsFunction, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs'
import { Construct } from 'constructs'
import { filmsApi, linksAccount } from '../latchkey.config.ts'

/** The product on AWS: an HTTP API with one function, a table for sessions, and what it needs of Latchkey. */
export class Product extends Construct {
  /** The origin of the product. */
  readonly origin: string

  readonly #api: HttpApi

  constructor(scope: Construct, id: string) {
    super(scope, id)
    this.#api = new HttpApi(this, 'Api')
    this.origin = this.#api.apiEndpoint
  }

  /** Configures Latchkey for the product, and adds the function that serves it. */
  connect(auth: AuthService): void {
    const { origin } = this
    const films = new ProtectedApi(this, 'Films', { auth, key: 'films', ...filmsApi, audience: origin })
    const client = new OidcClient(this, 'Client', {
      auth,
      key: 'media-library',
      name: 'Media library',
      redirectUris: [`${origin}/callback`],
      postLogoutRedirectUris: [`${origin}/`],
      backchannelLogoutUri: `${origin}/backchannel-logout`,
      scopes: ['openid', 'profile', 'permissions', 'organization'],
      apis: [{ audience: films.audience, scopes: films.scopes }],
      permissions: ['films:edit'],
    })
    const links = new ServiceAccount(this, 'Links', { auth, key: 'media-library-links', ...linksAccount })

    const sessions = new TableV2(this, 'Sessions', {
      partitionKey: { name: 'id', type: AttributeType.STRING },
      globalSecondaryIndexes: [
        { indexName: 'by-sid', partitionKey: { name: 'sid', type: AttributeType.STRING } },
      ],
      billing: Billing.onDemand(),
      timeToLiveAttribute: 'expiresAt',
    })
    const serve = new NodejsFunction(this, 'serve', {
      entry: new URL('../src/lambda/serve.ts', import.meta.url).pathname,
      runtime: Runtime.NODEJS_24_X,
      memorySize: 512,
      timeout: Duration.minutes(1),
      environment: {
        ORIGIN: origin,
        LATCHKEY_URL: auth.url,
        CLIENT_ID: client.clientId,
        CLIENT_SECRET_ARN: client.secret.secretArn,
        API_TOKEN_ARN: links.token.secretArn,
        SESSIONS_TABLE: sessions.tableName,
      },
      bundling: { format: OutputFormat.ESM, mainFields: ['module', 'main'], minify: true },
    })
    client.secret.grantRead(serve)
    links.token.grantRead(serve)
    sessions.grantReadWriteData(serve)
    this.#api.addRoutes({ path: '/{proxy+}', integration: new HttpLambdaIntegration('Serve', serve) })
    this.#api.addRoutes({ path: '/', integration: new HttpLambdaIntegration('ServeRoot', serve) })
  }
}
