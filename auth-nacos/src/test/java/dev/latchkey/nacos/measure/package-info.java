/** The default plugin and this one under the same load; nothing here is a test. */
package dev.latchkey.nacos.measure;
