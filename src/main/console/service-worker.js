'use strict';

// Shows what the platform pushes to this browser: a JSON object with those of title, body, icon and url that were given.

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

// Only a web address is opened, whatever was pushed; one that is relative is an address of this platform.
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
