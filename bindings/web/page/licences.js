// SPDX-License-Identifier: MIT
//
// The licences of what is in the page. bindings/web/build.mjs puts the texts in the place of LICENCES.
import { showText } from "./dom.js";

/* global LICENCES */

export function showLicences() {
  showText("What is in this page, and under which licences", LICENCES);
}
