'use strict';

// Takes what the platform sends: a JSON object with those of title, body, icon, url and data that were given.

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', event => event.waitUntil(self.clients.claim()));

self.addEventListener('push', event => {
  const message = read(event.data);
  event.waitUntil(Promise.all([tell(message), show(message)]));
});

function read(data) {
  try {
    return data ? data.json() : {};
  } catch (notJson) {
    return {body: data.text()};
  }
}

function show(message) {
  return self.registration.showNotification(message.title || 'Notification', {
    body: message.body,
    icon: address(message.icon),
    data: {url: address(message.url), data: message.data},
  });
}

// A relative address is one of the page that subscribed; the registration's scope is where its pages are.
function address(given) {
  return given ? new URL(given, self.registration.scope).href : undefined;
}

async function tell(message) {
  const pages = await self.clients.matchAll({type: 'window', includeUncontrolled: true});
  pages.forEach(page => page.postMessage({arrived: message, at: Date.now()}));
}

self.addEventListener('notificationclick', event => {
  event.notification.close();
  const url = event.notification.data && event.notification.data.url;
  // Nothing but a web address is opened, whatever was sent.
  if (url && /^https?:/i.test(url)) {
    event.waitUntil(self.clients.openWindow(url));
  }
});
