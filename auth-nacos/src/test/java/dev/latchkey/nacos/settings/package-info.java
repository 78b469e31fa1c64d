/** Tests of how the configuration is read. */
package dev.latchkey.nacos.settings;
