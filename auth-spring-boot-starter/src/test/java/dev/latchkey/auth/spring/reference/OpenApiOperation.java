package dev.latchkey.auth.spring.reference;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A row of the table of endpoints.
 *
 * @param request method and path
 * @param id the name of the operation in generated clients
 * @param where the property that switches the endpoint on
 * @param takes text for the page
 * @param answers text for the page; begins with the status
 * @param body name of the schema of the body, or empty
 * @param result name of the schema of the answer, or empty
 * @param schemes security schemes, each one enough; an empty name for none
 * @param refusals statuses with a problem; {@code oauth} behind a status is an error of OAuth, {@code both} either, {@code status} no body
 */
record OpenApiOperation(
        String request,
        String id,
        String tag,
        String where,
        String takes,
        String answers,
        String body,
        String result,
        List<String> schemes,
        List<String> refusals) {

    private static final Pattern VARIABLE = Pattern.compile("\\{([a-z]+)}");
    private static final Pattern LINK = Pattern.compile("\\[([^]]+)]\\([^)]+\\)");

    String method() {
        return request.substring(0, request.indexOf(' '));
    }

    String path() {
        return request.substring(request.indexOf(' ') + 1);
    }

    String row() {
        String start = "| `" + request + "` | " + where + " |";
        return start + (takes.isEmpty() ? "" : " " + takes) + " | " + answers + " |\n";
    }

    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("operationId", id);
        json.put("tags", List.of(tag));
        json.put("description", "Exists with " + where + (takes.isEmpty() ? "." : ". Takes " + takes + "."));
        List<Map<String, Object>> variables = VARIABLE.matcher(path())
                .results()
                .map((MatchResult found) -> OpenApiSchemas.object(
                        "name", found.group(1), "in", "path", "required", true, "schema", Map.of("type", "string")))
                .toList();
        if (!variables.isEmpty()) {
            json.put("parameters", variables);
        }
        if (!body.isEmpty()) {
            Map<String, Object> content = new LinkedHashMap<>();
            if (tag.equals(OpenApiTable.LOGINS)) {
                content.put("application/x-www-form-urlencoded", OpenApiSchemas.contentOf(body));
            }
            content.put("application/json", OpenApiSchemas.contentOf(body));
            json.put("requestBody", OpenApiSchemas.object("required", true, "content", content));
        }
        json.put("responses", responses());
        json.put(
                "security",
                schemes.stream()
                        .map(scheme -> scheme.isEmpty() ? Map.of() : Map.of(scheme, List.of()))
                        .toList());
        return json;
    }

    private Map<String, Object> responses() {
        Map<String, Object> responses = new LinkedHashMap<>();
        Map<String, Object> success =
                OpenApiSchemas.object("description", LINK.matcher(answers).replaceAll("$1"));
        if (!result.isEmpty()) {
            success.put("content", OpenApiSchemas.object("application/json", OpenApiSchemas.contentOf(result)));
        }
        responses.put(answers.substring(0, 3), success);
        for (String refusal : refusals) {
            responses.put(refusal.substring(0, 3), Map.of("$ref", "#/components/responses/" + nameOf(refusal)));
        }
        return responses;
    }

    /** Names of components begin with a letter, since generators make classes of these names. */
    static String nameOf(String refusal) {
        String kind = refusal.substring(3).strip();
        return switch (kind) {
                    case "" -> "Problem";
                    case "both" -> "Refusal";
                    case "oauth" -> "Error";
                    default -> "Status";
                }
                + refusal.substring(0, 3);
    }
}
