import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathFactory;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

/**
 * Says for each published module which files a folder in the layout of a Maven repository has of it, and fails where one is missing that
 * Maven Central requires (https://central.sonatype.org/publish/requirements), where one is not as it should be, and where there is one
 * more than there should be.
 *
 * <p>{@code java release/CheckBundle.java STAGING PUBLISHED.TXT VERSION KEY_RING}
 */
final class CheckBundle {
    private static final String GROUP = "dev.latchkey";

    /** What a POM has to say itself or inherit. */
    private static final List<String> FIELDS = List.of(
            "name",
            "description",
            "url",
            "licenses/license/name",
            "licenses/license/url",
            "developers/developer/name",
            "scm/connection",
            "scm/developerConnection",
            "scm/url");

    private final Path folder;
    private final String version;
    private final String keyRing;
    private final List<String> defects = new ArrayList<>();
    private final Map<String, String> kinds = new TreeMap<>();
    private final XPath xpath = XPathFactory.newInstance().newXPath();

    private CheckBundle(Path staging, Path published, String version, String keyRing) throws IOException {
        this.folder = staging.resolve(GROUP.replace('.', '/'));
        this.version = version;
        this.keyRing = keyRing;
        for (String line : Files.readAllLines(published)) {
            if (!line.startsWith("#")) {
                kinds.put(line.split(" ")[0], line.split(" ")[1]);
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        CheckBundle check = new CheckBundle(Path.of(arguments[0]), Path.of(arguments[1]), arguments[2], arguments[3]);
        check.everything();
        check.defects.forEach(defect -> System.err.println("DEFECT " + defect));
        if (!check.defects.isEmpty()) {
            System.exit(1);
        }
    }

    private void everything() throws Exception {
        if (version.endsWith("-SNAPSHOT")) {
            defects.add("Maven Central takes no snapshots: " + version);
        }
        if (!namesIn(folder).equals(kinds.keySet())) {
            defects.add("The modules are " + namesIn(folder) + ", and " + kinds.keySet() + " are to be published");
        }
        for (String module : kinds.keySet()) {
            files(module);
            pom(module);
        }
        billOfVersions();
    }

    private void files(String module) throws Exception {
        Set<String> present = namesIn(folder.resolve(module).resolve(version));
        Set<String> expected = new TreeSet<>();
        for (String end : endsOf(kinds.get(module))) {
            String file = module + "-" + version + end;
            expected.addAll(List.of(file, file + ".asc", file + ".md5", file + ".sha1"));
        }
        for (String missing : minus(expected, present)) {
            defects.add(module + " lacks " + missing);
        }
        for (String more : minus(present, expected)) {
            defects.add(module + " has " + more + ", which nobody asked for");
        }
        List<String> ends = new ArrayList<>();
        for (String end : endsOf(kinds.get(module))) {
            Path file = folder.resolve(module).resolve(version).resolve(module + "-" + version + end);
            if (Files.exists(file)) {
                ends.add(end);
                contents(file, end);
            }
        }
        System.out.printf("%-32s %s%n", module, String.join(" ", ends));
    }

    private static List<String> endsOf(String kind) {
        return switch (kind) {
            case "pom" -> List.of(".pom");
            case "parent" -> List.of(".pom", "-cyclonedx.json");
            case "jar", "shaded" -> List.of(".pom", ".jar", "-sources.jar", "-javadoc.jar", "-cyclonedx.json");
            case "kit" -> List.of(".pom", ".jar", "-sources.jar", "-javadoc.jar", "-cyclonedx.json", "-tests.jar");
            default -> throw new IllegalArgumentException("published.txt has no kind " + kind);
        };
    }

    private void contents(Path file, String end) throws Exception {
        checksum(file, ".md5", "MD5");
        checksum(file, ".sha1", "SHA-1");
        Path signature = Path.of(file + ".asc");
        if (Files.exists(signature) && !isSigned(file, signature)) {
            defects.add(file.getFileName() + " is not what was signed");
        }
        switch (end) {
            case ".jar", "-tests.jar" -> classes(file);
            case "-sources.jar" -> has(file, ".java");
            case "-javadoc.jar" -> has(file, "index.html");
            default -> {
                if (Files.readString(file).contains("-SNAPSHOT")) {
                    defects.add(file.getFileName() + " names a snapshot");
                }
            }
        }
    }

    private void checksum(Path file, String end, String algorithm) throws IOException, NoSuchAlgorithmException {
        Path sum = Path.of(file + end);
        byte[] digest = MessageDigest.getInstance(algorithm).digest(Files.readAllBytes(file));
        if (Files.exists(sum)
                && !Files.readString(sum).strip().equals(HexFormat.of().formatHex(digest))) {
            defects.add(sum.getFileName() + " is another file's");
        }
    }

    private boolean isSigned(Path file, Path signature) throws IOException, InterruptedException {
        Process gpg = new ProcessBuilder(
                        "gpg", "--homedir", keyRing, "--batch", "--verify", signature.toString(), file.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return gpg.waitFor() == 0;
    }

    /** Classes that Java 17 reads. Libraries that are shaded in may have others beside them, for newer ones. */
    private void classes(Path jar) throws IOException {
        has(jar, ".class");
        try (JarFile entries = new JarFile(jar.toFile())) {
            for (ZipEntry entry : (Iterable<ZipEntry>) entries.stream().<ZipEntry>map(e -> e)::iterator) {
                if (entry.getName().endsWith(".class") && !entry.getName().startsWith("META-INF/versions/")) {
                    try (InputStream in = entries.getInputStream(entry)) {
                        byte[] head = in.readNBytes(8);
                        if (head[7] > 61) {
                            defects.add(jar.getFileName() + " has " + entry.getName() + ", which Java 17 cannot read");
                        }
                    }
                }
            }
        }
    }

    private void has(Path jar, String end) throws IOException {
        try (JarFile entries = new JarFile(jar.toFile())) {
            if (entries.stream().noneMatch(entry -> entry.getName().endsWith(end))) {
                defects.add(jar.getFileName() + " has no " + end);
            }
        }
    }

    private void pom(String module) throws Exception {
        Path file = pomOf(module);
        if (!Files.exists(file)) {
            return;
        }
        Document own = parse(file);
        String parent = xpath.evaluate("/project/parent/artifactId", own);
        Document inherited = parent.isEmpty() || !Files.exists(pomOf(parent)) ? null : parse(pomOf(parent));
        if (!parent.isEmpty() && !kinds.containsKey(parent)) {
            defects.add(module + " has a parent that is not published, " + parent);
        }
        for (String field : FIELDS) {
            String said = xpath.evaluate("/project/" + field, own);
            // Its name and what it is are each module's own.
            if (said.isEmpty() && inherited != null && !field.equals("name") && !field.equals("description")) {
                said = xpath.evaluate("/project/" + field, inherited);
            }
            if (said.isBlank()) {
                defects.add("The POM of " + module + " says nothing in " + field);
            }
        }
        String address = xpath.evaluate("/project/properties/public.address", inherited == null ? own : inherited);
        if (!address.equals(xpath.evaluate("/project/properties/public.address", parse(pomOf("latchkey-parent"))))) {
            defects.add("The POM of " + module + " has another public.address than its root");
        }
    }

    /** The BOM has each module that can be depended on, and no other. */
    private void billOfVersions() throws Exception {
        if (!Files.exists(pomOf("auth-bom"))) {
            return;
        }
        NodeList managed = (NodeList) xpath.evaluate(
                "/project/dependencyManagement/dependencies/dependency/artifactId",
                parse(pomOf("auth-bom")),
                XPathConstants.NODESET);
        Set<String> named = new TreeSet<>();
        for (int i = 0; i < managed.getLength(); i++) {
            named.add(managed.item(i).getTextContent());
        }
        Set<String> published = new TreeSet<>(kinds.keySet());
        published.removeIf(module -> !Set.of("jar", "kit").contains(kinds.get(module)));
        if (!named.equals(published)) {
            defects.add("The BOM has " + named + ", and published are " + published);
        }
    }

    private Path pomOf(String module) {
        return folder.resolve(module).resolve(version).resolve(module + "-" + version + ".pom");
    }

    private static Document parse(Path pom) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(pom.toFile());
    }

    private static Set<String> namesIn(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return Set.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            Set<String> names = new TreeSet<>();
            files.forEach(file -> names.add(file.getFileName().toString()));
            return names;
        }
    }

    private static Set<String> minus(Set<String> all, Set<String> some) {
        Set<String> rest = new TreeSet<>(all);
        rest.removeAll(some);
        return rest;
    }
}
