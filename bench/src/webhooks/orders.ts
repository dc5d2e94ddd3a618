/** The body of a delivery as a shop sends it, about 400 bytes, ten columns; each differs from the others. */
export function orderDelivery(number: number): object {
  return {
    event: 'order.paid',
    order: {
      id: number,
      total: (number % 10_000) / 100,
      currency: 'EUR',
      placed_at: '2026-11-20T10:00:00Z',
      customer: { name: `Customer ${number % 5_000}`, email: `customer-${number % 5_000}@example.com` },
      items: [
        { sku: `SKU-${number % 300}`, quantity: (number % 3) + 1, title: 'Ceramic mug with a blue glaze' },
        { sku: `SKU-${number % 77}`, quantity: 1, title: 'Linen cloth' },
      ],
      status_url: `https://shop.example/orders/${number}`,
    },
    test: false,
  };
}
