package dev.latchkey.auth.spring.operations;

import java.util.Set;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What decides about the service's health.
 *
 * @param requiredPlugins the auth plugins without which the service is down; an outage of any other plugin is a detail, and the service stays up
 */
@ConfigurationProperties("latchkey.health")
record HealthProperties(@DefaultValue Set<String> requiredPlugins) {}
