'use strict';

// Shows the push messages of the platform as notifications. A message is a JSON object that may have title, body, icon and url; other text is shown
// as the body.

self.addEventListener('install', () => self.skipWaiting());

self.addEventListener('push', event => event.waitUntil(show(event.data)));

function show(data) {
  const {title, body, icon, url} = read(data);
  return self.registration.showNotification(title || 'Arbitration Case Platform', {body, icon, data: {url}});
}

function read(data) {
  try {
    return (data && data.json()) || {};
  } catch {
    return {body: data.text()};
  }
}

// Only http and https addresses are opened, whatever was pushed. A relative address belongs to this platform.
self.addEventListener('notificationclick', event => {
  event.notification.close();
  const given = event.notification.data && event.notification.data.url;
  const address = URL.parse(given || '/console', self.location.origin);
  if (!address) {
    return;
  }
  if (address.protocol === 'https:' || address.protocol === 'http:') {
    event.waitUntil(self.clients.openWindow(address.href));
  }
});
