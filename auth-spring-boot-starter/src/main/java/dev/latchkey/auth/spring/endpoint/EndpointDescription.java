package dev.latchkey.auth.spring.endpoint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.swagger.v3.core.util.Json;
import io.swagger.v3.core.util.Json31;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.PathItem;
import io.swagger.v3.oas.models.Paths;
import io.swagger.v3.oas.models.SpecVersion;
import io.swagger.v3.oas.models.security.OAuthFlow;
import io.swagger.v3.oas.models.security.SecurityScheme;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Adds Latchkey's descriptions to an OpenAPI document. Describes each Latchkey endpoint of this service, and each plugin endpoint
 * that is already in the document.
 *
 * <p>The names of schemas and answers begin with {@code Latchkey}, because a service may have a schema named {@code Login}. If
 * the service and Latchkey have a security scheme of the same name, the service's scheme stays. Endpoints are no controllers, so
 * springdoc does not find the endpoints itself.
 */
final class EndpointDescription {

    /** The API reference of the documentation. The build copies the file to this path. */
    static final String RESOURCE = "dev/latchkey/auth/spring/endpoint/openapi.json";

    private static final String BASE_PATH = "/auth";
    private static final String METADATA = "/.well-known/oauth-authorization-server";
    private static final String SECURITY = "securitySchemes";
    private static final Pattern NAMED = Pattern.compile("(#/components/)(schemas|responses)/(?:Latchkey)?(\\w+)");

    private final String basePath;
    private final List<AuthEndpoint> endpoints;

    EndpointDescription(String basePath, List<AuthEndpoint> endpoints) {
        this.basePath = basePath;
        this.endpoints = List.copyOf(endpoints);
    }

    /** @param service the service's document, OpenAPI 3.0 or 3.1; changed in place */
    void addTo(OpenAPI service) {
        ObjectMapper json = service.getSpecVersion() == SpecVersion.V31 ? Json31.mapper() : Json.mapper();
        JsonNode all = read(json);
        Paths paths = service.getPaths() == null ? new Paths() : service.getPaths();
        ObjectNode used = json.createObjectNode();
        requests(all.path("paths"), paths)
                .forEach((path, operations) -> used.putObject(path).setAll(operations));
        ObjectNode own = json.createObjectNode();
        own.set("paths", used);
        own.set("components", componentsOf(used, all.path("components"), json));
        OpenAPI read = json.convertValue(own, OpenAPI.class);
        read.getPaths().forEach((path, item) -> put(paths, path, item));
        service.setPaths(paths);
        merge(service, read.getComponents());
    }

    private static JsonNode read(ObjectMapper json) {
        try (InputStream file = EndpointDescription.class.getClassLoader().getResourceAsStream(RESOURCE)) {
            if (file == null) {
                throw new IllegalStateException("The starter's jar lacks " + RESOURCE);
            }
            String text = new String(file.readAllBytes(), StandardCharsets.UTF_8);
            return json.readTree(NAMED.matcher(text).replaceAll("$1$2/Latchkey$3"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The operations to describe, by the paths of this service. */
    private Map<String, ObjectNode> requests(JsonNode described, Paths found) {
        Map<String, ObjectNode> requests = new LinkedHashMap<>();
        for (AuthEndpoint endpoint : endpoints) {
            String method = endpoint.method().name().toLowerCase(Locale.ROOT);
            JsonNode operation = described.path(describedPath(endpoint)).path(method);
            if (operation instanceof ObjectNode known) {
                requests.computeIfAbsent(endpoint.path(), path -> known.objectNode())
                        .set(method, known);
            }
        }
        found.keySet().stream()
                .filter(path -> !requests.containsKey(path) && described.has(path))
                .toList()
                .forEach(path -> requests.put(path, (ObjectNode) described.get(path)));
        return requests;
    }

    /**
     * The path of the endpoint in the reference; empty if the reference has no description. The second path of the token endpoint
     * has none, because its answers may have the form of another server.
     */
    private String describedPath(AuthEndpoint endpoint) {
        if (endpoint instanceof MetadataEndpoint) {
            return METADATA;
        }
        return endpoint.path().startsWith(basePath + "/")
                ? BASE_PATH + endpoint.path().substring(basePath.length())
                : "";
    }

    /**
     * All security schemes, and the schemas and answers that the operations use, directly or through other schemas and answers.
     */
    private static ObjectNode componentsOf(JsonNode operations, JsonNode all, ObjectMapper json) {
        ObjectNode components = json.createObjectNode();
        components.set(SECURITY, all.path(SECURITY));
        Set<String> seen = new HashSet<>();
        addNamed(operations, all, components, seen);
        return components;
    }

    private static void addNamed(JsonNode from, JsonNode all, ObjectNode components, Set<String> seen) {
        Matcher named = NAMED.matcher(from.toString());
        while (named.find()) {
            if (seen.add(named.group())) {
                JsonNode component = all.path(named.group(2)).path(named.group(3));
                components.withObject("/" + named.group(2)).set("Latchkey" + named.group(3), component);
                addNamed(component, all, components, seen);
            }
        }
    }

    private static void put(Paths paths, String path, PathItem own) {
        PathItem there = paths.get(path);
        if (there == null) {
            paths.addPathItem(path, own);
        } else {
            own.readOperationsMap().forEach(there::operation);
        }
    }

    private void merge(OpenAPI service, Components own) {
        Components there = service.getComponents() == null ? new Components() : service.getComponents();
        own.getSchemas().forEach(there::addSchemas);
        own.getResponses().forEach(there::addResponses);
        own.getSecuritySchemes().forEach((name, scheme) -> {
            if (there.getSecuritySchemes() == null
                    || !there.getSecuritySchemes().containsKey(name)) {
                there.addSecuritySchemes(name, atBasePath(scheme));
            }
        });
        service.setComponents(there);
    }

    private SecurityScheme atBasePath(SecurityScheme scheme) {
        OAuthFlow password =
                scheme.getFlows() == null ? null : scheme.getFlows().getPassword();
        if (password != null) {
            password.tokenUrl(basePath + "/token").refreshUrl(basePath + "/token");
        }
        return scheme;
    }
}
