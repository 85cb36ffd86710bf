import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;

/**
 * Rewrites the classes of a jar, in place, to a class file version that the start-up cache takes:
 * the JVM caches no class of the version that picocli is compiled to, and reads and verifies it
 * anew at every start. What the classes do stays the same.
 *
 * <p>Usage: {@code java -cp JAR build/Retarget.java JAR}
 */
final class Retarget {

  /** The oldest version that the cache takes. */
  private static final int OLDEST = ClassFile.JAVA_8_VERSION;

  public static void main(String... arguments) throws IOException {
    Path jar = Path.of(arguments[0]);
    Path draft = Path.of(jar + ".draft");
    try (JarFile old = new JarFile(jar.toFile());
        OutputStream file = Files.newOutputStream(draft);
        JarOutputStream out = new JarOutputStream(file)) {
      for (JarEntry entry : old.stream().toList()) {
        JarEntry same = new JarEntry(entry.getName());
        same.setTime(entry.getTime());
        out.putNextEntry(same);
        try (InputStream in = old.getInputStream(entry)) {
          byte[] bytes = in.readAllBytes();
          out.write(entry.getName().endsWith(".class") ? retargeted(bytes) : bytes);
        }
      }
    }
    Files.move(draft, jar, StandardCopyOption.REPLACE_EXISTING);
  }

  /**
   * A method's body has to be written anew, or it is copied without the stack maps it now needs.
   */
  private static byte[] retargeted(byte[] bytes) {
    ClassFile files = ClassFile.of(ClassFile.StackMapsOption.GENERATE_STACK_MAPS);
    ClassModel model = files.parse(bytes);
    if (model.majorVersion() >= OLDEST) {
      return bytes;
    }
    ClassTransform bodies =
        ClassTransform.transformingMethodBodies((code, part) -> code.with(part));
    return files.transformClass(
        model,
        bodies.andThen((builder, part) ->
            builder.with(
                part instanceof ClassFileVersion ? ClassFileVersion.of(OLDEST, 0) : part)));
  }
}
