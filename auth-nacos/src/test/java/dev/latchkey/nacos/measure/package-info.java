/** The default plugin and this plugin under the same load; nothing here is a test. */
package dev.latchkey.nacos.measure;
