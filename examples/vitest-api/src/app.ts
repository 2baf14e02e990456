import express, { type Express } from 'express';
import { createAuthenticate, requireScope, subOf } from './authenticate.ts';
import { createProducts } from './products.ts';

export interface Settings {
  /** The authorization server: `https://login.example.com` in production. */
  readonly issuer: string;
  /** The name of this API in the `aud` of access tokens. */
  readonly audience: string;
  /** Where the products are asked for, and who asks. */
  readonly productsUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Seconds that our clock and the issuer's may differ. */
  readonly clockTolerance: number;
}

interface Booking {
  readonly id: number;
  readonly guest: string;
  readonly product: string;
  readonly price: number;
}

/** Bookings of products. Users read and write their own; names and prices come from another API. */
export function createApp(settings: Settings): Express {
  const bookings: Booking[] = [];
  const findProduct = createProducts(settings);
  const app = express();
  app.use(express.json());
  app.use(createAuthenticate(settings));
  app.get('/bookings', requireScope('bookings:read'), (_request, response) => {
    response.json(bookings.filter(({ guest }) => guest === subOf(response)));
  });
  app.post('/bookings', requireScope('bookings:write'), async (request, response) => {
    const product = await findProduct(Number(request.body.product));
    if (product === undefined) return void response.status(422).json({ error: 'no such product' });
    const booking = { id: bookings.length + 1, guest: subOf(response), product: product.name, price: product.price };
    bookings.push(booking);
    response.status(201).json(booking);
  });
  return app;
}
