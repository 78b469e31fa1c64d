package dev.latchkey.auth.spring.reference;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The constants of an enum with the comment of each, from its source, since no class file has comments. */
final class DocumentedCodes {

    private static final Pattern CONSTANT = Pattern.compile("(?s)/\\*\\*((?:(?!\\*/).)*)\\*/\\s*([A-Z][A-Z_]+)\\b");
    private static final Pattern TAG = Pattern.compile("\\{@(?:code|link) #?([^}]*)}");

    private DocumentedCodes() {}

    /** By the constants' names in lower case, in the order of the source. */
    static Map<String, String> of(Class<? extends Enum<?>> type, String module) throws IOException {
        Class<?> top = type.getEnclosingClass() == null ? type : type.getEnclosingClass();
        String source = Files.readString(
                Path.of("..", module, "src", "main", "java", top.getName().replace('.', '/') + ".java"));
        String body = source.substring(source.indexOf("enum " + type.getSimpleName()));
        Map<String, String> comments = new LinkedHashMap<>();
        for (Matcher constant = CONSTANT.matcher(body); constant.find(); ) {
            String comment =
                    constant.group(1).replaceAll("\\s*\\n\\s*\\* ?", " ").strip();
            comments.put(
                    constant.group(2).toLowerCase(Locale.ROOT),
                    TAG.matcher(comment).replaceAll("`$1`"));
        }
        for (Enum<?> constant : type.getEnumConstants()) {
            if (!comments.containsKey(constant.name().toLowerCase(Locale.ROOT))) {
                throw new AssertionError(constant + " of " + type.getSimpleName() + " has no comment in its source");
            }
        }
        comments.keySet().retainAll(namesOf(type));
        return comments;
    }

    private static Set<String> namesOf(Class<? extends Enum<?>> type) {
        Set<String> names = new HashSet<>();
        for (Enum<?> constant : type.getEnumConstants()) {
            names.add(constant.name().toLowerCase(Locale.ROOT));
        }
        return names;
    }
}
