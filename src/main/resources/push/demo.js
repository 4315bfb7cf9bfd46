'use strict';

const $ = id => document.getElementById(id);
const KEPT = 'push-demo.subscription';
const ARRIVED_MAX = 50;
let registration;

function state(name, text) {
  $('status').dataset.state = name;
  $('status').textContent = text;
}

function sentence(failed) {
  return failed.message.replace(/\.*$/, '.');
}

/** Posts to the platform; an answer that is no 200 is an error with its sentence. */
async function post(path, body, token) {
  const headers = {'Content-Type': 'application/json'};
  if (token) {
    headers.Authorization = 'Bearer ' + token;
  }
  const answer = await fetch(path, {method: 'POST', headers, body: body ? JSON.stringify(body) : undefined});
  const text = await answer.text();
  if (!answer.ok) {
    throw new Error(text || 'status ' + answer.status);
  }
  return (answer.headers.get('Content-Type') || '').startsWith('application/json') ? JSON.parse(text) : text;
}

function bytes(base64url) {
  const text = atob(base64url.replace(/-/g, '+').replace(/_/g, '/'));
  return Uint8Array.from(text, character => character.charCodeAt(0));
}

function same(one, other) {
  return one.length === other.length && one.every((value, index) => value === other[index]);
}

/** The browser's subscription with the platform's active key; one with another key ends first. */
async function browserSubscription(vapidKey) {
  const key = bytes(vapidKey);
  const known = await registration.pushManager.getSubscription();
  if (known) {
    const its = known.options && known.options.applicationServerKey;
    if (its && same(new Uint8Array(its), key)) {
      return known;
    }
    await known.unsubscribe();
  }
  return registration.pushManager.subscribe({userVisibleOnly: true, applicationServerKey: key});
}

async function subscribe() {
  if (await Notification.requestPermission() !== 'granted') {
    throw new Error('this browser may not show notifications; allow them for this page');
  }
  const {keys} = await post('vapid-keys/list');
  const active = keys.find(key => key.active);
  if (!active) {
    throw new Error('the platform has no VAPID key yet; an administrator makes one with /vapid-keys/create');
  }
  const subscription = await browserSubscription(active.vapidKey);
  const token = $('token').value.trim();
  const path = token ? 'web-push/subscribe' : 'web-push/anonymous/subscribe';
  const {subscriptionID} = await post(path, {vapidKey: active.vapidKey, subscription: subscription.toJSON()}, token);
  localStorage.setItem(KEPT, JSON.stringify({subscriptionID, anonymous: !token}));
}

async function unsubscribe() {
  const kept = JSON.parse(localStorage.getItem(KEPT) || 'null');
  const subscription = await registration.pushManager.getSubscription();
  if (subscription) {
    await subscription.unsubscribe();
  }
  localStorage.removeItem(KEPT);
  if (kept) {
    const path = kept.anonymous ? 'web-push/anonymous/unsubscribe' : 'web-push/unsubscribe';
    await post(path, {subscriptionID: kept.subscriptionID}, kept.anonymous ? null : $('token').value.trim());
  }
}

async function show() {
  const kept = JSON.parse(localStorage.getItem(KEPT) || 'null');
  const subscription = await registration.pushManager.getSubscription();
  const is = Boolean(kept && subscription);
  $('details').hidden = !is;
  $('subscription-id').textContent = is ? kept.subscriptionID : '';
  $('service').textContent = is ? new URL(subscription.endpoint).host : '';
  $('subscribe').disabled = is;
  $('unsubscribe').disabled = !is;
  $('send-button').disabled = !is;
  state(is ? 'subscribed' : 'ready', is ? 'This browser is subscribed.' : 'This browser is not subscribed.');
}

/** Runs what a button does and shows how it ended. */
async function act(work, doing) {
  $('subscribe').disabled = $('unsubscribe').disabled = true;
  state('working', doing);
  try {
    await work();
    await show();
  } catch (failed) {
    await show();
    state('failed', 'That did not work: ' + sentence(failed));
  }
}

async function send(event) {
  event.preventDefault();
  $('sent').dataset.state = 'working';
  $('sent').textContent = 'Sending…';
  try {
    const notification = {subscriptionID: $('subscription-id').textContent, title: $('title').value, body: $('body').value, url: location.href};
    $('sent').textContent = await post('internal/send-web-push-to-subscription', notification, $('sender-token').value.trim());
    $('sent').dataset.state = 'done';
  } catch (failed) {
    $('sent').dataset.state = 'failed';
    $('sent').textContent = 'Not sent: ' + sentence(failed);
  }
}

function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

/** Everything that arrived is shown as text, never as markup. */
function arrived({arrived: message, at}) {
  const item = document.createElement('li');
  const words = document.createElement('div');
  if (/^https?:/i.test(message.icon || '')) {
    const icon = document.createElement('img');
    icon.src = message.icon;
    icon.alt = '';
    icon.addEventListener('error', () => icon.remove());
    item.append(icon);
  }
  words.append(element('time', new Date(at).toLocaleTimeString()), element('strong', message.title || 'Notification'));
  if (message.body) {
    words.append(element('span', message.body));
  }
  if (/^https?:/i.test(message.url || '')) {
    const link = element('a', message.url);
    link.href = message.url;
    link.rel = 'noopener noreferrer';
    words.append(link);
  }
  if (message.data) {
    words.append(element('pre', JSON.stringify(message.data, null, 1)));
  }
  item.append(words);
  $('arrived').prepend(item);
  while ($('arrived').children.length > ARRIVED_MAX) {
    $('arrived').lastChild.remove();
  }
  $('none').hidden = true;
}

async function start() {
  if (!window.isSecureContext) {
    throw new Error('web push needs https, or http on localhost');
  }
  if (!('serviceWorker' in navigator) || !('PushManager' in window) || !('Notification' in window)) {
    throw new Error('this browser has no web push; on iOS add the page to the home screen first');
  }
  navigator.serviceWorker.addEventListener('message', event => arrived(event.data));
  await navigator.serviceWorker.register('demo-service-worker.js', {scope: './demo'});
  registration = await navigator.serviceWorker.ready;
  $('subscribe').addEventListener('click', () => act(subscribe, 'Subscribing…'));
  $('unsubscribe').addEventListener('click', () => act(unsubscribe, 'Unsubscribing…'));
  $('send').addEventListener('submit', send);
  await show();
}

start().catch(failed => state('failed', 'Not possible here: ' + sentence(failed)));
