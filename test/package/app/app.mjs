import * as cdk from 'aws-cdk-lib'
import * as apigateway from 'aws-cdk-lib/aws-apigatewayv2'
import { AuthService } from 'latchkey'
import { buildApp } from './build-app.cjs'

buildApp({ cdk, apigateway, AuthService }, 'cdk.out/esm')
